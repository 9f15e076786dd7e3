/// The sequences that begin mouse reports, and begin and end pastes.
enum InputMark: String, CaseIterable {
    case mouseReport = "\u{1B}[<"
    case pasteBegin = "\u{1B}[200~"
    case pasteEnd = "\u{1B}[201~"

    static func begins(with text: String.UnicodeScalarView) -> Bool {
        allCases.contains { $0.rawValue.unicodeScalars.starts(with: text) }
    }
}
