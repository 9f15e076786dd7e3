import JokesProtocol
import TestSupport
import Testing
import Varlink

/// The comparison of docs/jokesctl.md with the interface text: jokesctl prints the members that the daemon sends.
@Suite struct PrintedShapesTests {
    private func written(_ type: TypeDescription) -> String {
        switch type {
        case .bool: "bool"
        case .int: "int"
        case .string, .enumeration: "string"
        case .array(let element): "[\(written(element))]"
        case .optional(let wrapped): written(wrapped) + "?"
        case .named(let name): name
        case .float, .object, .any, .structure, .map: "\(type)"
        }
    }

    private func members(_ fields: [FieldDescription]) -> [PrintedShapes.Member] {
        fields.map { PrintedShapes.Member(name: $0.name, type: written($0.type)) }
    }

    /// The type with which the daemon sends a time.
    private func sent(_ printed: [PrintedShapes.Member]) -> [PrintedShapes.Member] {
        printed.map { PrintedShapes.Member(name: $0.name, type: $0.type.replacing("time", with: "int")) }
    }

    @Test("each kind of object on the page has the members of the interface text, in their order")
    func interface() throws {
        let interface = try InterfaceDescription(JokesInterface.description)
        let answers = [
            "JokeDetails": "Get", "Statistics": "Statistics", "Status": "Status", "Change": "Watch",
            "Removal": "Forget", "Undone": "Undo",
        ]
        let shapes = try PrintedShapes()
        #expect(shapes.objects.count == 28)
        let own = ["Mark", "AddedSource", "AddedFeeds", "AddedFeed", "ShownSource", "Service", "SourceChange"]
        for (name, printed) in shapes.objects where !own.contains(name) {
            if let method = answers[name], case .method(_, let output)? = interface.method(named: method)?.kind {
                #expect(sent(printed) == members(output), "\(name)")
            } else if case .structure(let fields)? = interface.type(named: name) {
                #expect(sent(printed) == members(fields), "\(name)")
            } else {
                Issue.record("\(name) is not in the interface text")
            }
        }
    }
}
