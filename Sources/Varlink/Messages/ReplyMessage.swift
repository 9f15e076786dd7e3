import JSON

/// A reply: `{"parameters"?, "continues"?, "error"?}`.
struct ReplyMessage {
    /// True if more replies to the same call follow.
    let continues: Bool
    private let error: String?
    /// An object; empty if the message has none.
    private let parameters: JSONValue

    /// Returns the next reply from a reader; nil until it is complete.
    static func next(from reader: inout FrameReader) throws(VarlinkError) -> ReplyMessage? {
        try reader.next().map(ReplyMessage.init)
    }

    /// Reads a frame. Unknown members are ignored. An error is the last reply, also if it says that it continues.
    private init(_ frame: [UInt8]) throws(VarlinkError) {
        let message = try JSONValue(message: frame)
        let error = try message.messageMember("error")
        guard error == nil || error?.string != nil else {
            throw .malformed(reason: "member 'error' is not a string")
        }
        self.error = error?.string
        parameters = try message.messageMember("parameters") ?? .emptyObject
        guard parameters.kind == .object else { throw .malformed(reason: "member 'parameters' is not an object") }
        continues = try message.messageFlag("continues") && error == nil
    }

    /// Returns the parameters as a type.
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

/// The parameters of a call or reply without any: `{}`.
public struct NoParameters: Codable, Sendable, Equatable {
    /// The only value.
    public init() {}
}
