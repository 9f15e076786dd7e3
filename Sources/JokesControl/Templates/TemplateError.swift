/// An error in a template. It quotes input: sanitize it before it is shown.
struct TemplateError: Error, Hashable {
    let message: String
    let hint: String
    /// The position of the error, from 1; for an error in braces, that of the opening brace.
    let place: Int

    static let noField = TemplateError(message: "the format has no field", hint: fields, place: 1)

    static let fields = "Fields: \(Template.Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " "))"
    static let escapes =
        "Escapes: \(Template.Escape.allCases.map { ":\($0.rawValue)" }.joined(separator: " ")), "
        + "or several: {text:line:json}"
    static let braces = "Write a field as {setup}, and a literal brace as {{ or }}."
}
