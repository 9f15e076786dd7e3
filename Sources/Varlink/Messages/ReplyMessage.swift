import JSON

/// A reply: `{"parameters"?, "continues"?, "error"?}`.
struct ReplyMessage {
    /// True if more replies to the same call follow.
    private(set) var continues = false
    private var error: String?
    /// An object; empty if the message has none.
    private var parameters = JSONValue.emptyObject

    /// Returns the next reply from a reader; nil until it is complete.
    static func next(from reader: inout FrameReader) throws(VarlinkError) -> ReplyMessage? {
        do throws(MalformedMessage) {
            return try reader.next().map(ReplyMessage.init)
        } catch {
            throw .malformed(reason: error.reason)
        }
    }

    /// Reads a frame. Unknown members are ignored.
    private init(_ frame: [UInt8]) throws(MalformedMessage) {
        for (name, value) in try JSONValue(message: frame).members {
            switch name.string {
            case "continues": continues = value.bool ?? false
            case "error": error = value.string
            case "parameters" where value.kind == .object: parameters = value
            default: break
            }
        }
        if error != nil { continues = false }
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
