import Unix

/// A text that is no template.
struct TemplateError: Error, Hashable {
    enum Code: Hashable {
        case noField
        case unknownField(String)
        case unknownEscape(String)
        case takesNoEscape(String)
        case notClosed
        case closesNothing
        case controlCharacter
    }

    let code: Code
    /// The number of the character where the mistake is, from 1; of what is in braces that of the first one.
    let place: Int

    init(_ code: Code, at place: Int) {
        self.code = code
        self.place = place
    }

    /// What is wrong. It may hold what somebody typed: to be made harmless before it is shown.
    var sentence: String {
        switch code {
        case .noField: "The format has no field of the joke."
        case .unknownField(let name):
            "There is no field {\(name)}, at character \(place) of the format."
                + Self.meant(name, Self.names, { "{\($0)}" })
        case .unknownEscape(let name):
            "There is no escape :\(name), at character \(place) of the format."
                + Self.meant(name, Template.Escape.allCases.map(\.rawValue), { ":\($0)" })
        case .takesNoEscape(let name):
            "What takes escapes are fields, not {\(name)} at character \(place) of the format."
        case .notClosed: "The brace at character \(place) of the format is not closed."
        case .closesNothing: "The brace at character \(place) of the format closes nothing."
        case .controlCharacter: "Character \(place) of the format is a control character."
        }
    }

    /// How it is done.
    var hint: String {
        switch code {
        case .noField, .unknownField:
            "Fields: \(Template.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " "))"
        case .unknownEscape, .takesNoEscape:
            "Escapes: \(Template.Escape.allCases.map { ":\($0.rawValue)" }.joined(separator: " "));"
                + " also several, as in {text:line:json}"
        case .notClosed, .closesNothing: "A field is in braces, as {setup}; {{ and }} are braces that are printed."
        case .controlCharacter: "{n} is a line feed, {t} a tab."
        }
    }

    private static let names = Template.Field.allCases.map(\.rawValue) + ["n", "t"]

    private static func meant(_ word: String, _ candidates: [String], _ written: (String) -> String) -> String {
        nearest(to: word, among: candidates).map { " Did you mean \(written($0))?" } ?? ""
    }
}
