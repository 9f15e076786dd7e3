/// A reply as it travels: `{"parameters"?, "continues"?, "error"?}`.
struct ReplyMessage {
    /// More replies to the same call follow.
    let continues: Bool
    let error: String?
    let parameters: ParametersValue

    /// Reads a frame. Keys that Varlink does not know are passed over.
    init(_ frame: [UInt8]) throws(MalformedMessage) {
        let document = try JSONDocument(message: frame)
        var continues = false
        var error: String?
        var parameters: Int?
        document.forEachMember(of: 0) { key, value in
            switch (document.string(at: key), document.nodes[value].kind) {
            case (_, .null): break
            case ("continues", _): continues = document.bool(at: value) ?? false
            case ("error", .string): error = document.string(at: value)
            case ("parameters", .object): parameters = value
            default: break
            }
            return true
        }
        self.continues = continues && error == nil
        self.error = error
        self.parameters = ParametersValue(document: document, node: parameters)
    }

    /// The parameters as a type.
    ///
    /// - Throws: `VarlinkError.refused` for an error reply, `.unexpectedReply`.
    func decode<Value: Decodable>(_ type: Value.Type) throws(VarlinkError) -> Value {
        if let error { throw .refused(ErrorReply(name: error, json: parameters.json)) }
        do {
            return try parameters.decode(type)
        } catch {
            throw .unexpectedReply(reason: "\(error)")
        }
    }
}

/// A reply in the form in which it travels: encoded once, it can be sent to any number of clients without a copy.
public struct EncodedReply: Sendable {
    /// Whether more replies follow this one.
    public let continues: Bool
    let frame: [UInt8]
    /// Nil where only one client is to get it.
    let holders: FrameHolders?

    /// Its size on the wire. Stock clients take 16 MB at most; a megabyte is a good limit.
    public var byteCount: Int { frame.count }

    /// Encodes a reply, which continues where more replies to the same call follow.
    ///
    /// - Throws: `VarlinkError.unencodable`.
    public init(_ parameters: some Encodable, continues: Bool = false) throws(VarlinkError) {
        try self.init(parameters, continues: continues, holders: FrameHolders())
    }

    /// A reply for one client.
    init(single parameters: some Encodable, continues: Bool = false) throws(VarlinkError) {
        try self.init(parameters, continues: continues, holders: nil)
    }

    private init(_ parameters: some Encodable, continues: Bool, holders: FrameHolders?) throws(VarlinkError) {
        let writer = JSONWriter()
        writer.openObject()
        try writer.writeParameters(parameters)
        if continues { writer.writeFlag("continues") }
        frame = Self.withoutSpareMemory(writer.finishFrame())
        self.continues = continues
        self.holders = holders
    }

    /// The last reply to a call: an error.
    public init(_ error: ErrorReply) {
        let writer = JSONWriter()
        writer.openObject()
        writer.startMember(at: 1)
        writer.write(key: "error")
        writer.write(error.name)
        writer.startMember(at: 1)
        writer.write(key: "parameters")
        writer.write(json: error.parameters)
        frame = Self.withoutSpareMemory(writer.finishFrame())
        continues = false
        holders = nil
    }

    /// A reply may wait for long; up to half of its memory is room for more.
    private static func withoutSpareMemory(_ frame: [UInt8]) -> [UInt8] {
        frame.capacity - frame.count < 4096 ? frame : frame.withUnsafeBytes { Array($0) }
    }
}

/// A call's or a reply's parameters where there are none: `{}`.
public struct NoParameters: Codable, Sendable, Equatable {
    /// The one value there is.
    public init() {}
}
