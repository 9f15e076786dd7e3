import JSON

/// A method of a service: its name and its handler.
///
/// The body is called on the loop's thread. It gets parameters only if they match the interface text. If it throws an
/// `ErrorReply`, this is the reply; the service's `explain` converts other errors.
public struct VarlinkMethod: Sendable {
    /// The name without the interface.
    public let name: String
    /// True if calls of this method wait until other calls are answered.
    private(set) var isCostly = false
    /// Nil if the comment in the interface text declares the support.
    private(set) var more: MoreSupport?
    let run: @Sendable (CallChannel, JSONValue) throws -> Void

    /// Returns the method marked as one that takes long or has long replies. Its calls wait until others are answered.
    ///
    /// However many such calls wait, other calls wait for at most one of them.
    public var costly: VarlinkMethod {
        var method = self
        method.isCostly = true
        return method
    }

    private init(_ name: String, run: @escaping @Sendable (CallChannel, JSONValue) throws -> Void) {
        self.name = name
        self.run = run
    }

    /// A method whose reply is the result of the body.
    public static func answer<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable (Parameters) throws -> Reply
    ) -> VarlinkMethod {
        VarlinkMethod(name) { channel, parameters in
            channel.send(try EncodedReply(body(try parameters.decode(Parameters.self)), isShared: false))
        }
    }

    /// A method without parameters, whose reply is the result of the body.
    public static func answer<Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Reply
    ) -> VarlinkMethod {
        answer(name) { (_: NoParameters) in try body() }
    }

    /// A method whose body gets the call, and replies now or later, once or several times.
    ///
    /// `more` declares the support for several replies. Without it, the comment in the interface text does.
    public static func handle<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, more: MoreSupport? = nil,
        _ body: @escaping @Sendable (VarlinkCall<Parameters, Reply>) throws -> Void
    ) -> VarlinkMethod {
        var method = VarlinkMethod(name) { channel, parameters in try body(VarlinkCall(parameters, channel)) }
        method.more = more
        return method
    }
}

/// An interface and the methods that implement it.
public struct VarlinkInterface: Sendable {
    /// The description of the interface.
    public let description: InterfaceDescription
    let methods: [String: VarlinkMethod]

    /// Creates an interface from its text and its methods.
    ///
    /// Methods without an implementation reply with `MethodNotImplemented`. A method's support for several replies is the
    /// `more` of `VarlinkMethod.handle`. Without it, the lines `[Requires 'more' flag]` and `[Supports 'more' flag]` in
    /// the comment of the method declare the support, as in systemd's interfaces.
    /// - Throws: `VarlinkError.invalidInterface` if the text cannot be read, or does not have one of the methods.
    public init(_ text: String, methods: [VarlinkMethod]) throws(VarlinkError) {
        description = try InterfaceDescription(text)
        for method in methods where description.method(named: method.name) == nil {
            throw .invalidInterface(line: 1, reason: "unknown method \(method.name)")
        }
        self.methods = Dictionary(methods.map { ($0.name, $0) }) { _, last in last }
    }
}
