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
    /// What differs between the body's types and the fields of the interface.
    let mismatches:
        @Sendable (InterfaceDescription, _ input: [FieldDescription], _ output: [FieldDescription]) -> [String]

    /// The same method for a service that has quicker ones: its calls take turns with each other, behind all other calls.
    ///
    /// For methods that take long to answer, or whose answers are long. One such call delays the others by its own time at
    /// most, however many wait.
    public var costly: VarlinkMethod {
        var method = self
        method.isCostly = true
        return method
    }

    private init<Parameters: Decodable & Sendable, Reply: Sendable>(
        _ name: String, _ parameters: Parameters.Type, _ reply: Reply.Type,
        run: @escaping @Sendable (CallChannel, JSONValue) throws -> Void
    ) {
        self.name = name
        self.run = run
        mismatches = { interface, input, output in
            let reply = Reply.self as? any Decodable.Type
            let inputProblems = ShapeProbe(interface).differences(of: Parameters.self, from: input)
            let outputProblems = reply.map { ShapeProbe(interface).differences(of: $0, from: output) } ?? []
            return inputProblems.map { "parameters: \($0)" } + outputProblems.map { "reply: \($0)" }
        }
    }

    /// A method that is answered at once, with what the body returns.
    public static func answer<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable (Parameters) throws -> Reply
    ) -> VarlinkMethod {
        VarlinkMethod(name, Parameters.self, Reply.self) { channel, parameters in
            channel.send(try EncodedReply(single: body(try parameters.decode(Parameters.self))))
        }
    }

    /// A method without parameters that is answered at once, with what the body returns.
    public static func answer<Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Reply
    ) -> VarlinkMethod {
        VarlinkMethod(name, NoParameters.self, Reply.self) { channel, _ in
            channel.send(try EncodedReply(single: body()))
        }
    }

    /// A method whose body gets the call, and answers it now or later, once or with a stream of replies.
    public static func handle<Parameters: Decodable & Sendable, Reply: Encodable & Sendable>(
        _ name: String, _ body: @escaping @Sendable (VarlinkCall<Parameters, Reply>) throws -> Void
    ) -> VarlinkMethod {
        VarlinkMethod(name, Parameters.self, Reply.self) { channel, parameters in
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

/// An interface and the methods that implement it.
public struct VarlinkInterface: Sendable {
    /// What the interface text says.
    public let description: InterfaceDescription
    let methods: [String: VarlinkMethod]

    /// Joins an interface text to its implementation.
    ///
    /// Methods that the text has and the table has not are answered with `MethodNotImplemented`. A method whose comment
    /// has the line `[Requires 'more' flag]` is called only for clients that take several replies; without that line
    /// and `[Supports 'more' flag]` a client's `more` is ignored and it gets its one reply.
    /// - Throws: `VarlinkError.invalidInterface` for a text that cannot be read, and for a method that it has not.
    public init(_ text: String, methods: [VarlinkMethod]) throws(VarlinkError) {
        description = try InterfaceDescription(text)
        for method in methods where description.method(named: method.name) == nil {
            throw .invalidInterface(line: 1, reason: "unknown method \(method.name)")
        }
        self.methods = Dictionary(methods.map { ($0.name, $0) }) { _, last in last }
    }

    /// Where the Swift types of the table and the interface text differ, for a test: fields that only one of them has,
    /// types that are not the same, names of enumerations that cannot be read, methods without an implementation.
    ///
    /// Replies are compared where their types are `Decodable` too.
    public var mismatches: [String] {
        description.members.flatMap { member -> [String] in
            guard case .method(let input, let output) = member.kind else { return [] }
            guard let method = methods[member.name] else { return ["\(member.name) is not implemented"] }
            return method.mismatches(description, input, output).map { "\(member.name), \($0)" }
        }
    }
}

extension InterfaceDescription {
    /// Where a Swift type and an error's parameters differ, for a test.
    ///
    /// - Returns: as `VarlinkInterface.mismatches` does; one line where there is no such error.
    public func mismatches(ofError name: String, with type: any Decodable.Type) -> [String] {
        for member in members where member.name == name {
            if case .error(let fields) = member.kind { return ShapeProbe(self).differences(of: type, from: fields) }
        }
        return ["unknown error \(name)"]
    }
}
