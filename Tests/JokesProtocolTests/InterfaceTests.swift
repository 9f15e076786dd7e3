import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The interface text against those who read it and against the types that speak it.
@Suite struct InterfaceTests {
    private let interface: InterfaceDescription

    init() throws {
        interface = try InterfaceDescription(JokesInterface.description)
    }

    /// A method with the types that the daemon and its clients use.
    private func typed<Method: JokesMethod>(_ method: Method.Type) -> VarlinkMethod {
        .answer(Method.name) { (_: Method.Parameters) throws -> Method.Reply in throw ErrorReply.permissionDenied }
    }

    @Test("the text is one that varlinkctl and the Python package take, and bears the interface's name")
    func portable() {
        #expect(interface.portabilityProblems.isEmpty)
        #expect(interface.name == JokesInterface.name)
    }

    @Test("every method, type and error says what it is, and every field what it holds")
    func documented() {
        func silent(_ fields: [FieldDescription], _ place: String) -> [String] {
            fields.flatMap { field -> [String] in
                let name = "\(place).\(field.name)"
                var inner: [String] = []
                if case .structure(let fields) = field.type { inner = silent(fields, name) }
                return (field.documentation.isEmpty ? [name] : []) + inner
            }
        }
        let silences = interface.members.flatMap { member -> [String] in
            let own = member.documentation.isEmpty ? [member.name] : []
            switch member.kind {
            case .method(let input, let output): return own + silent(input + output, member.name)
            case .error(let fields), .type(.structure(let fields)): return own + silent(fields, member.name)
            case .type: return own
            }
        }
        #expect(silences == [])
    }

    @Test("the types of all methods read exactly what the text describes")
    func types() throws {
        let typed = try VarlinkInterface(
            JokesInterface.description,
            methods: [
                typed(StatusMethod.self), typed(DiagnoseMethod.self), typed(AcknowledgeRecoveriesMethod.self),
                typed(SourcesMethod.self),
                typed(ListMethod.self), typed(SearchMethod.self),
                typed(GetMethod.self),
                typed(RandomMethod.self), typed(FavoriteMethod.self), typed(UnfavoriteMethod.self),
                typed(HideMethod.self), typed(UnhideMethod.self),
                typed(ExportMethod.self), typed(ImportMethod.self),
                typed(FavoritesMethod.self), typed(SuggestMethod.self), typed(RefreshMethod.self),
                typed(ForgetMethod.self), typed(WatchMethod.self),
            ])
        #expect(typed.mismatches == [])
    }

    @Test("every message that can be sent is as the text describes it, and reads back as it was")
    func messages() throws {
        var seen: Set<Part> = []
        try checkLaw("messages", cases: 3000, atLeast: 1000, maxSize: 12, generate: randomMessage) { message in
            seen.insert(message.part)
            let problems = DescribedValue(interface: interface).problems(
                of: try JSONValue(message.json), as: fields(of: message.part))
            try hold(problems.isEmpty, problems.joined(separator: "; "))
            try hold(message.readsBack, "it reads back as something else")
        }
        let described = interface.methodNames.flatMap { [Part.parameters($0), .reply($0)] }
        #expect(seen == Set(described + interface.errorNames.map(Part.error)))
    }

    private func fields(of part: Part) -> [FieldDescription] {
        for member in interface.members {
            switch (part, member.kind) {
            case (.parameters(member.name), .method(let input, _)): return input
            case (.reply(member.name), .method(_, let output)): return output
            case (.error(member.name), .error(let fields)): return fields
            default: continue
            }
        }
        return []
    }
}
