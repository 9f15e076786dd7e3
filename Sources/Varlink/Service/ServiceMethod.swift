import JSON

/// A method as a service finds it: what its interface says, and what answers it.
struct ServiceMethod: Sendable {
    let more: MoreSupport
    /// Calls wait until those of other methods are answered.
    var isCostly: Bool { implementation?.isCostly == true }
    private let name: String
    private let interface: InterfaceDescription
    private let input: [FieldDescription]
    private let implementation: VarlinkMethod?

    /// All methods of the interfaces by their qualified names.
    static func table(of interfaces: [VarlinkInterface]) -> [String: ServiceMethod] {
        var table: [String: ServiceMethod] = [:]
        for interface in interfaces {
            for member in interface.description.members {
                guard case .method(let input, _) = member.kind else { continue }
                let name = "\(interface.description.name).\(member.name)"
                table[name] = ServiceMethod(
                    more: MoreSupport(documentation: member.documentation), name: name,
                    interface: interface.description, input: input, implementation: interface.methods[member.name])
            }
        }
        return table
    }

    /// Has the call answered through the channel, now or later.
    ///
    /// - Throws: the `ErrorReply` of a call that the handler never sees, and what the handler throws.
    func run(_ call: CallMessage, _ channel: CallChannel) throws {
        guard let implementation else { throw ErrorReply.methodNotImplemented(name) }
        do {
            try check(call)
            try implementation.run(channel, call.parameters)
        } catch {
            implementation.refused(call.parameters)
            guard let error = error as? JSONError else { throw error }
            throw ErrorReply.invalidParameter(error.path.isEmpty ? "parameters" : error.path.shortenedForReply)
        }
    }

    /// - Throws: the `ErrorReply` of a call that the handler never sees.
    private func check(_ call: CallMessage) throws(ErrorReply) {
        // No method here goes on in another protocol, and a client that was told so does not start one.
        if call.wantsUpgrade { throw ErrorReply.methodNotImplemented(name) }
        if more == .required && !call.wantsMore { throw ErrorReply.expectedMore }
        let check = ParameterCheck(interface: interface)
        if let problem = check.firstProblem(in: call.parameters, fields: input) {
            throw ErrorReply.invalidParameter(problem.shortenedForReply)
        }
    }
}

extension String {
    /// A client's own words are not sent back at any length: the reply could be longer than a message may be.
    var shortenedForReply: String {
        utf8.count <= 256 ? self : String(decoding: utf8.prefix(64), as: UTF8.self) + "…"
    }
}
