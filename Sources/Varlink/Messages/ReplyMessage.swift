import JSON

/// A reply: `{"parameters"?, "continues"?, "error"?}`.
struct ReplyMessage {
    /// More replies to the same call follow.
    let continues: Bool
    let error: String?
    /// An object; empty if the message has none.
    let parameters: JSONValue

    /// Reads a frame. Unknown members are ignored.
    init(_ frame: [UInt8]) throws(MalformedMessage) {
        var continues = false
        var error: String?
        var parameters = JSONValue.emptyObject
        for (name, value) in try JSONValue(message: frame).members {
            switch name.string {
            case "continues": continues = value.bool ?? false
            case "error": error = value.string
            case "parameters" where value.kind == .object: parameters = value
            default: break
            }
        }
        self.continues = continues && error == nil
        self.error = error
        self.parameters = parameters
    }

    /// The parameters as a type.
    ///
    /// - Throws: `VarlinkError.refused` for an error reply, `.unexpectedReply`.
    func decode<Value: Decodable>(_ type: Value.Type) throws(VarlinkError) -> Value {
        if let error { throw .refused(ErrorReply(name: error, json: Array(parameters.json))) }
        do throws(JSONError) {
            return try parameters.decode(type)
        } catch {
            throw .unexpectedReply(reason: "\(error)")
        }
    }
}

/// A call's or a reply's parameters where there are none: `{}`.
public struct NoParameters: Codable, Sendable, Equatable {
    /// The one value there is.
    public init() {}
}
