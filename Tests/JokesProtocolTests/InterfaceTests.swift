import FoundationEssentials
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The interface text and the types for it agree.
@Suite struct InterfaceTests {
    private let interface: InterfaceDescription

    init() throws {
        interface = try InterfaceDescription(JokesInterface.description)
    }

    @Test("the text has the name of the interface")
    func name() {
        #expect(interface.name == JokesInterface.name)
    }

    @Test("every method, type, error and field is documented")
    func documented() {
        func undocumented(_ fields: [FieldDescription], _ path: String) -> [String] {
            fields.flatMap { field -> [String] in
                let name = "\(path).\(field.name)"
                var inner: [String] = []
                if case .structure(let fields) = field.type { inner = undocumented(fields, name) }
                return (field.documentation.isEmpty ? [name] : []) + inner
            }
        }
        let missing = interface.members.flatMap { member -> [String] in
            let own = member.documentation.isEmpty ? [member.name] : []
            switch member.kind {
            case .method(let input, let output): return own + undocumented(input + output, member.name)
            case .error(let fields), .type(.structure(let fields)): return own + undocumented(fields, member.name)
            case .type: return own
            }
        }
        #expect(missing == [])
    }

    @Test("every method has a type")
    func methods() {
        #expect(allMethods().map { $0.name }.sorted() == interface.methodNames.sorted())
    }

    @Test(
        "every message, with and without each optional member, is decoded and encoded as the text says, without a change"
    )
    func messages() throws {
        let described = DescribedValue(interface: interface)
        var missing = Set(interface.members.flatMap { described.choices(of: $0) })
        for (part, fields) in parts {
            try checkProperty("messages of \(part)", cases: 1_000) { random, _ in
                var json = RandomJSON(interface: interface, random: random)
                return json.object(fields)
            } property: { sent in
                let message = try Message(sent, as: part)
                let value = try JSONDecoder().decode(AnyJSON.self, from: Data(message.json.utf8))
                let problems = described.problems(of: value, as: fields)
                try verify(problems.isEmpty, problems.joined(separator: "; "))
                try verify(message.readsBack, "decoded to another value: \(message.json)")
                missing.subtract(described.choices(of: .structure(fields), in: value, at: "\(part)"))
            }
        }
        // The daemon always sends this member; a client accepts a header without it.
        #expect(missing.sorted() == ["JokesHeader.recovered absent"])
    }

    /// The messages of the interface, with their members.
    private var parts: [(Part, [FieldDescription])] {
        interface.members.flatMap { member -> [(Part, [FieldDescription])] in
            switch member.kind {
            case .method(let input, let output): [(.parameters(member.name), input), (.reply(member.name), output)]
            case .error(let fields): [(.error(member.name), fields)]
            case .type: []
            }
        }
    }
}
