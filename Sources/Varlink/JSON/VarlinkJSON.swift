/// JSON as it travels, for programs that show or store messages: small, strict, and without a further library.
public enum VarlinkJSON {
    /// How text is laid out.
    public enum Layout: Sendable {
        /// On one line, without spaces.
        case compact
        /// Each member and element on a line of its own, for people.
        case indented
    }

    /// The value as JSON text, its fields in the order in which its type writes them; what is nil is left out.
    ///
    /// - Throws: `VarlinkError.unencodable` for a number that JSON cannot say, and for what the type itself throws.
    public static func encode(_ value: some Encodable, layout: Layout = .compact) throws(VarlinkError) -> String {
        do {
            let bytes = try JSONEncoding.encode(value)
            return String(decoding: layout == .compact ? bytes : JSONIndenter.indent(bytes), as: UTF8.self)
        } catch {
            throw .unencodable(reason: "\(error)")
        }
    }

    /// Reads a value from JSON text, with the rules of messages: no U+0000, nothing rounded, no endless nesting.
    ///
    /// - Throws: `VarlinkError.malformed` for what is no JSON, `.unexpectedReply` for what is not of the type.
    public static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws(VarlinkError) -> Value {
        let document: JSONDocument
        do throws(JSONDocument.Malformed) {
            document = try JSONDocument(Array(text.utf8))
        } catch {
            throw .malformed(reason: "byte \(error.offset): \(error.reason)")
        }
        do {
            return try document.decode(type, at: 0)
        } catch {
            throw .unexpectedReply(reason: "\(error)")
        }
    }
}
