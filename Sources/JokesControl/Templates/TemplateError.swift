import CommandLineTools

/// An error in a template.
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
    /// The position of the error, from 1; for an error in braces, that of the opening brace.
    let place: Int

    init(_ code: Code, at place: Int) {
        self.code = code
        self.place = place
    }

    /// The error. It quotes input: sanitize it before it is shown.
    var message: String {
        switch code {
        case .noField: "the format has no field"
        case .unknownField(let name): "unknown field '{\(name)}' at character \(place) of the format"
        case .unknownEscape(let name): "unknown escape ':\(name)' at character \(place) of the format"
        case .takesNoEscape(let name): "'{\(name)}' at character \(place) of the format takes no escape"
        case .notClosed: "the brace at character \(place) of the format is not closed"
        case .closesNothing: "the brace at character \(place) of the format closes no field"
        case .controlCharacter: "character \(place) of the format is a control character"
        }
    }

    /// The likely intention, or else the correct form.
    var hint: String {
        switch code {
        case .unknownField(let name):
            nearMiss(of: name, among: Self.names) { "{\($0)}" } ?? Self.fields
        case .unknownEscape(let name):
            nearMiss(of: name, among: Template.Escape.allCases.map(\.rawValue)) { ":\($0)" } ?? Self.escapes
        case .noField: Self.fields
        case .takesNoEscape: Self.escapes
        case .notClosed, .closesNothing: "Write a field as {setup}, and a literal brace as {{ or }}."
        case .controlCharacter: "Write {n} for a line feed, and {t} for a tab."
        }
    }

    private static let names = Template.Field.allCases.map(\.rawValue) + ["n", "t"]
    private static let fields = "Fields: \(Template.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " "))"
    private static let escapes =
        "Escapes: \(Template.Escape.allCases.map { ":\($0.rawValue)" }.joined(separator: " ")), "
        + "or several: {text:line:json}"
}
