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

    @Test("every message matches the text and can be decoded without a change")
    func messages() throws {
        var seen: Set<Part> = []
        try checkProperty("messages", cases: 3000, atLeast: 1000, maxSize: 12, generate: randomMessage) { message in
            seen.insert(message.part)
            let problems = DescribedValue(interface: interface).problems(
                of: try JSONValue(message.json), as: fields(of: message.part))
            try verify(problems.isEmpty, problems.joined(separator: "; "))
            try verify(message.readsBack, "decoded to another value")
        }
        let described = interface.methodNames.flatMap { [Part.parameters($0), .reply($0)] }
        #expect(seen == Set(described + interface.errorNames.map(Part.error)))
    }

    @Test("random messages have and lack each optional field, and use each name of an enumeration")
    func choices() {
        let described = DescribedValue(interface: interface)
        var missing = Set(interface.members.flatMap { described.choices(of: $0) })
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 where missing.count > 1 {
            let message = randomMessage(&random, size: 12)
            guard let value = try? JSONValue(message.json) else { continue }
            let fields = fields(of: message.part)
            missing.subtract(described.choices(of: .structure(fields), in: value, at: "\(message.part)"))
        }
        // The daemon always sends this field; a client accepts a header without it.
        #expect(missing.sorted() == ["JokesHeader.recovered absent"])
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
