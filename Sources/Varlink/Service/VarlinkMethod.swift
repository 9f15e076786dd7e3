import JSON

/// One row of a service's table: a method's name and what answers it.
///
/// The body is called on the loop's thread. What it throws is the reply: an `ErrorReply` as it is, any other error as
/// the service's `explain` says. Parameters reach it only when they are as the interface text says.
public struct VarlinkMethod: Sendable {
    /// The name without the interface.
    public let name: String
    /// Whether calls of this method wait until other calls are answered.
    private(set) var isCostly = false
    let run: @Sendable (CallChannel, JSONValue) throws -> Void
    /// Called before a call is answered with an error that `run` or a check of the parameters threw.
    private(set) var refused: @Sendable (JSONValue) -> Void = { _ in }

    /// The same method for a service that has quicker ones: its calls take turns with each other, behind all other calls.
    ///
    /// For methods that take long to answer, or whose answers are long. One such call delays the others by its own time at
    /// most, however many wait.
    public var costly: VarlinkMethod {
        var method = self
        method.isCostly = true
        return method
    }

    private init(_ name: String, run: @escaping @Sendable (CallChannel, JSONValue) throws -> Void) {
        self.name = name
        self.run = run
    }

    /// A method that is answered at once, with what the body returns.
    public static func answer<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable (Parameters) throws -> Reply
    ) -> VarlinkMethod {
        VarlinkMethod(name) { channel, parameters in
            channel.send(try EncodedReply(single: body(try parameters.decode(Parameters.self))))
        }
    }

    /// A method without parameters that is answered at once, with what the body returns.
    public static func answer<Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Reply
    ) -> VarlinkMethod {
        VarlinkMethod(name) { channel, _ in
            channel.send(try EncodedReply(single: body()))
        }
    }

    /// A method whose body gets the call, and answers it now or later, once or with a stream of replies.
    public static func handle<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable (VarlinkCall<Parameters, Reply>) throws -> Void
    ) -> VarlinkMethod {
        VarlinkMethod(name) { channel, parameters in
            try body(
                VarlinkCall(
                    parameters: try parameters.decode(Parameters.self), messageBytes: parameters.document.bytes.count,
                    channel: channel))
        }
    }
}

extension VarlinkMethod {
    /// The same method with an action for each call that is refused at once, even one that never reaches the body because
    /// its parameters do not match the interface.
    ///
    /// The action runs on the loop, before the error is sent. It gets those parameters that it can decode, and is not called
    /// if they cannot be decoded.
    package func onRefusal<Parameters: Decodable & Sendable>(
        _ action: @escaping @Sendable (Parameters) -> Void
    ) -> VarlinkMethod {
        var method = self
        method.refused = { parameters in
            if let decoded = try? parameters.decode(Parameters.self) { action(decoded) }
        }
        return method
    }
}

/// Whether a method sends several replies, which its comment in the interface text says.
enum MoreSupport {
    case never, possible, required

    /// By the lines that systemd's tools write: `[Requires 'more' flag]`, `[Supports 'more' flag]`.
    init(documentation: String) {
        if documentation.contains("[Requires 'more' flag]") {
            self = .required
        } else {
            self = documentation.contains("[Supports 'more' flag]") ? .possible : .never
        }
    }
}
