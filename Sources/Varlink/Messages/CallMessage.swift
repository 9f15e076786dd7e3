/// A call as it travels: `{"method", "parameters"?, "oneway"?, "more"?, "upgrade"?}`.
struct CallMessage {
    /// The qualified name.
    let method: String
    /// The client wants no reply, not even an error.
    let isOneway: Bool
    /// The client takes any number of replies.
    let wantsMore: Bool
    /// The client wants to go on in another protocol after the reply.
    let wantsUpgrade: Bool
    let parameters: ParametersValue

    /// Reads a frame. Keys that Varlink does not know are passed over.
    ///
    /// - Throws: `MalformedMessage` for what is no call at all; nothing can be answered to that.
    init(_ frame: [UInt8]) throws(MalformedMessage) {
        let document = try JSONDocument(message: frame)
        var members = Members()
        document.forEachMember(of: 0) { key, value in members.take(document, key, value) }
        if let problem = members.problem { throw MalformedMessage(problem) }
        guard let method = members.method else { throw MalformedMessage("a call has no method") }
        if members.isOneway && (members.wantsMore || members.wantsUpgrade) {
            throw MalformedMessage("'oneway' cannot be combined with 'more' or 'upgrade'")
        }
        self.method = method
        isOneway = members.isOneway
        wantsMore = members.wantsMore
        wantsUpgrade = members.wantsUpgrade
        parameters = ParametersValue(document: document, node: members.parameters)
    }

    /// What is known of a call while its members are read.
    private struct Members {
        var method: String?
        var isOneway = false
        var wantsMore = false
        var wantsUpgrade = false
        var parameters: Int?
        var problem: String?
        /// One bit for each of the keys.
        private var seen = 0

        private static let keys = ["method", "parameters", "oneway", "more", "upgrade"]

        /// Returns whether it makes sense to read on.
        mutating func take(_ document: JSONDocument, _ key: Int, _ value: Int) -> Bool {
            let kind = document.nodes[value].kind
            guard let known = Self.keys.firstIndex(where: { document.string(at: key, equals: $0) }) else { return true }
            // Of two, another program may have looked at the other one.
            guard seen & 1 << known == 0 else {
                problem = "duplicate member '\(Self.keys[known])'"
                return false
            }
            seen |= 1 << known
            if kind == .null { return true }
            switch known {
            case 0: if kind == .string { method = document.string(at: value) }
            case 1: parameters = value
            case 2: isOneway = flag(document, key, value)
            case 3: wantsMore = flag(document, key, value)
            default: wantsUpgrade = flag(document, key, value)
            }
            return problem == nil
        }

        private mutating func flag(_ document: JSONDocument, _ key: Int, _ value: Int) -> Bool {
            if let flag = document.bool(at: value) { return flag }
            problem = "member '\(document.string(at: key))' is not a boolean"
            return false
        }
    }

    /// The frame of a call.
    static func frame(
        method: String, parameters: some Encodable, isOneway: Bool = false, wantsMore: Bool = false
    ) throws(VarlinkError) -> [UInt8] {
        let writer = JSONWriter()
        writer.openObject()
        writer.startMember(at: 1)
        writer.write(key: "method")
        writer.write(method)
        try writer.writeParameters(parameters)
        if isOneway { writer.writeFlag("oneway") }
        if wantsMore { writer.writeFlag("more") }
        return writer.finishFrame()
    }
}

/// What comes in a frame and is not a message.
struct MalformedMessage: Error {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// The parameters of a message; absent, null and `{}` are the same.
struct ParametersValue {
    let document: JSONDocument
    let node: Int
    /// The size of the whole message in bytes.
    let messageBytes: Int

    private static let empty = Array("{}".utf8)

    init(document: JSONDocument, node: Int?) {
        messageBytes = document.bytes.count
        if let node {
            self.document = document
            self.node = node
        } else {
            // Cannot be malformed.
            self.document = (try? JSONDocument(Self.empty)) ?? document
            self.node = 0
        }
    }

    /// - Throws: `DecodingError`, and what the type throws.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.decode(type, at: node)
    }

    var json: [UInt8] {
        Array(document.bytes[Int(document.nodes[node].start)..<Int(document.nodes[node].end)])
    }
}

extension JSONDocument {
    /// The JSON object of one frame.
    convenience init(message frame: [UInt8]) throws(MalformedMessage) {
        do throws(Malformed) {
            try self.init(frame)
        } catch {
            throw MalformedMessage("byte \(error.offset): \(error.reason)")
        }
        guard nodes[0].kind == .object else { throw MalformedMessage("a message is not an object") }
    }
}

extension JSONWriter {
    func writeParameters(_ parameters: some Encodable) throws(VarlinkError) {
        startMember(at: 1)
        write(key: "parameters")
        do {
            try JSONEncoding.write(parameters, to: self, at: 1, key: nil)
        } catch {
            throw .unencodable(reason: "\(error)")
        }
    }

    func writeFlag(_ key: String) {
        startMember(at: 1)
        write(key: key)
        write(true)
    }

    /// The text with the NUL that ends a message.
    func finishFrame() -> [UInt8] {
        var frame = finish()
        frame.append(0)
        return frame
    }
}
