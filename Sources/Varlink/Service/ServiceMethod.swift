import JSON

/// A method of a service: its description and its handler.
struct ServiceMethod: Sendable {
    let more: MoreSupport
    /// True if calls wait until those of other methods are answered.
    var isCostly: Bool { implementation?.isCostly == true }
    private let name: String
    private let interface: InterfaceDescription
    private let input: [FieldDescription]
    private let implementation: VarlinkMethod?

    /// Returns all methods of the interfaces by their qualified names.
    static func table(of interfaces: [VarlinkInterface]) -> [String: ServiceMethod] {
        var table: [String: ServiceMethod] = [:]
        for interface in interfaces {
            for member in interface.description.members {
                guard case .method(let input, _) = member.kind else { continue }
                let name = "\(interface.description.name).\(member.name)"
                let implementation = interface.methods[member.name]
                table[name] = ServiceMethod(
                    more: implementation?.more ?? MoreSupport(documentation: member.documentation), name: name,
                    interface: interface.description, input: input, implementation: implementation)
            }
        }
        return table
    }

    /// Calls the handler, which replies through the channel, now or later.
    ///
    /// - Throws: `ErrorReply` if the call is refused; the errors of the handler.
    func run(_ call: CallMessage, _ channel: CallChannel) throws {
        guard let implementation else { throw ErrorReply.methodNotImplemented(name) }
        try check(call)
        do {
            try implementation.run(channel, call.parameters)
        } catch let error as JSONError {
            throw ErrorReply.invalidParameter(error.path.isEmpty ? "parameters" : error.path.shortenedForReply)
        }
    }

    private func check(_ call: CallMessage) throws(ErrorReply) {
        // No method continues in another protocol, and the error says so.
        if call.wantsUpgrade { throw ErrorReply.methodNotImplemented(name) }
        if more == .required && !call.wantsMore { throw ErrorReply.expectedMore }
        guard call.parameters.kind == .object else { throw ErrorReply.invalidParameter("parameters") }
        if let problem = interface.problem(inObject: call.parameters, fields: input) {
            throw ErrorReply.invalidParameter(problem.shortenedForReply)
        }
    }
}

extension String {
    /// A name of the client is shortened, because the reply could be too long for a message.
    var shortenedForReply: String {
        utf8.count <= 256 ? self : String(decoding: utf8.prefix(64), as: UTF8.self) + "…"
    }
}

/// The support of a method for several replies.
public enum MoreSupport: Sendable {
    /// The flag `more` of a call is ignored, and the client gets one reply.
    case never
    /// The client gets several replies if it asks for them with `more`.
    case possible
    /// The method is only called for clients that accept several replies. Others get the error `ExpectedMore`.
    case required

    /// Reads the lines of systemd's interfaces: `[Requires 'more' flag]`, `[Supports 'more' flag]`.
    init(documentation: String) {
        let isPossible = documentation.contains("[Supports 'more' flag]")
        self = documentation.contains("[Requires 'more' flag]") ? .required : isPossible ? .possible : .never
    }
}
