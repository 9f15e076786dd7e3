import JokesCore

/// Writes plain text for people: each joke, and below it its note and a line with its source, author, date and address.
///
/// Lines are not wrapped: the program that shows the text knows its width, and tables keep their columns.
struct TextExport: ExportWriter {
    private let holdsJokes: Bool
    /// The section of the last joke; nil before the first one.
    private var section: String?

    init(holdsJokes: Bool) { self.holdsJokes = holdsJokes }

    func begin() -> String { "" }

    mutating func text(of record: ExchangeRecord) -> String {
        guard let joke = ReadableJoke(record) else { return "" }
        let separator = section == nil ? "" : "\n"
        let underline = String(repeating: "=", count: joke.section.count)
        let heading = holdsJokes && joke.section != section ? "\(joke.section)\n\(underline)\n\n" : ""
        section = joke.section
        let details = [joke.source, joke.author, joke.dayInWords, joke.address].compactMap(\.self)
        let note = joke.note.map { Self.indented("Note: \($0)") } ?? ""
        return separator + heading + joke.text.whole + "\n" + note
            + Self.indented("-- \(details.joined(separator: ", "))")
    }

    func end() -> String { "" }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    }
}
