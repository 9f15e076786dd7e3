import JSON

/// A call: `{"method", "parameters"?, "oneway"?, "more"?, "upgrade"?}`.
struct CallMessage {
    /// The qualified name.
    let method: String
    /// True if the client wants no reply, not even an error.
    let isOneway: Bool
    /// True if the client accepts several replies.
    let wantsMore: Bool
    /// True if the client wants to continue in another protocol.
    let wantsUpgrade: Bool
    /// An object; empty if the message has none.
    let parameters: JSONValue

    /// Reads a frame. Unknown members are ignored.
    ///
    /// - Throws: `VarlinkError.malformed` if it is not a call. It cannot be answered.
    init(_ frame: [UInt8]) throws(VarlinkError) {
        let message = try JSONValue(message: frame)
        guard let method = try message.messageMember("method")?.string else {
            throw .malformed(reason: "a call has no method")
        }
        self.method = method
        isOneway = try message.messageFlag("oneway")
        wantsMore = try message.messageFlag("more")
        wantsUpgrade = try message.messageFlag("upgrade")
        if isOneway && (wantsMore || wantsUpgrade) {
            throw .malformed(reason: "'oneway' cannot be combined with 'more' or 'upgrade'")
        }
        parameters = try message.messageMember("parameters") ?? .emptyObject
    }

    /// Returns the frame of a call.
    static func frame(
        method: String, parameters: some Encodable, isOneway: Bool = false, wantsMore: Bool = false
    ) throws(VarlinkError) -> [UInt8] {
        let message = SharedJSONWriter()
        message.writer.openObject()
        message.writer.write(key: "method", at: 1)
        message.writer.write(method)
        try message.writeParameters(parameters)
        if isOneway { message.writeFlag("oneway") }
        if wantsMore { message.writeFlag("more") }
        return message.finishFrame()
    }
}

extension JSONValue {
    /// Returns the object in a frame.
    init(message frame: [UInt8]) throws(VarlinkError) {
        do throws(JSONError) {
            self = try JSONDocument(frame).root
        } catch {
            throw .malformed(reason: "byte \(error.offset): \(error.reason)")
        }
        guard kind == .object else { throw .malformed(reason: "a message is not an object") }
    }

    /// Returns a member of a message; nil if it is absent or null.
    func messageMember(_ name: String) throws(VarlinkError) -> JSONValue? {
        do throws(JSONPointer.NoClearValue) {
            return try uniqueMember(name).flatMap { $0.isNull ? nil : $0 }
        } catch {
            // Another program may have read the other value.
            throw .malformed(reason: "duplicate member '\(name)'")
        }
    }

    /// Returns a flag of a message; false if it is absent or null.
    func messageFlag(_ name: String) throws(VarlinkError) -> Bool {
        guard let value = try messageMember(name) else { return false }
        if let flag = value.bool { return flag }
        throw .malformed(reason: "member '\(name)' is not a boolean")
    }
}

extension SharedJSONWriter {
    func writeParameters(_ parameters: some Encodable) throws(VarlinkError) {
        writer.write(key: "parameters", at: 1)
        do {
            try JSONEncoding.write(parameters, to: self, at: 1, key: nil)
        } catch {
            throw .unencodable(reason: "\(error)")
        }
    }

    func writeFlag(_ key: String) {
        writer.write(key: key, at: 1)
        writer.write(true)
    }

    /// Returns the text with the NUL at the end of a message.
    func finishFrame() -> [UInt8] {
        var frame = writer.finish()
        frame.append(0)
        // Without much unused memory, because a reply may wait for a long time.
        return frame.capacity - frame.count < 4096 ? frame : frame.withUnsafeBytes { Array($0) }
    }
}
