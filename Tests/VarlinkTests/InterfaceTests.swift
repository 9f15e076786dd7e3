import TestSupport
import Testing
import Varlink

@Suite struct InterfaceTests {
    @Test("a text is read with its comments")
    func read() throws {
        let interface = try InterfaceDescription(EchoService.text)
        #expect(interface.name == "org.example.echo")
        #expect(interface.documentation == "What the tests call.")
        #expect(interface.methodNames.prefix(3) == ["Echo", "Shapes", "Nothing"])
        #expect(interface.errorNames == ["Failed"])
        let shapes = try #require(interface.method(named: "Shapes"))
        #expect(shapes.documentation == "Every kind of parameter.")
        guard case .method(let input, let output) = shapes.kind else {
            Issue.record("Shapes is no method")
            return
        }
        let expected: [TypeDescription] = [
            .array(.named("Word")), .optional(.named("Tone")), .optional(.float), .optional(.map(.bool)),
            .optional(.named("Word")),
        ]
        #expect(input.map(\.type) == expected)
        #expect(input.map(\.name) == ["words", "tone", "ratio", "flags", "word"])
        #expect(input.map(\.isOptional) == [false, true, true, true, true])
        #expect(output.map(\.type) == [.int])
        #expect(interface.type(named: "Tone") == .enumeration(["low", "high"]))
        #expect(interface.portabilityProblems.isEmpty)
    }

    @Test("layout does not matter, and comments belong to what they stand above")
    func layout() throws {
        let text =
            "# a\n\n# b\n#c\ninterface a.b\r\n\ttype T(# one\n x:string,y:?[]int)# two\nerror E()\n# three\n\nerror F ()"
        let interface = try InterfaceDescription(text)
        #expect(interface.documentation == "b\nc")
        guard case .structure(let fields) = interface.type(named: "T") else {
            Issue.record("T is no structure")
            return
        }
        #expect(fields.map(\.documentation) == ["one", ""])
        #expect(fields.map(\.line) == [7, 7])
        #expect(interface.members.map(\.documentation) == ["", "two", ""])
    }

    private static let bad: [(String, Int, String)] = [
        ("", 1, "expected 'interface', found the end of the text"),
        ("interface", 1, "'' is not a valid interface name"),
        ("interface echo", 1, "'echo' is not a valid interface name"),
        ("interface 1.b", 1, "'1.b' is not a valid interface name"),
        ("interface a.b-", 1, "'a.b-' is not a valid interface name"),
        ("interface a.b\nmethod m() -> ()", 2, "'m' is not a valid method name"),
        ("interface a.b\nmethod M() ()", 2, "expected '->', found '('"),
        ("interface a.b\nmethod M(x) -> ()", 2, "expected fields with types, found enumeration names"),
        ("interface a.b\nmethod M(x: int,) -> ()", 2, "')' is not a valid field name"),
        ("interface a.b\nmethod M(_x: int) -> ()", 2, "'_x' is not a valid field name"),
        ("interface a.b\nmethod M(a__b: int) -> ()", 2, "'a__b' is not a valid field name"),
        ("interface a.b\nmethod M(x: any) -> ()", 2, "expected a type, found 'any'"),
        ("interface a.b\nmethod M(x: ??int) -> ()", 2, "duplicate ?"),
        ("interface a.b\nmethod M(x: int, x: int) -> ()", 2, "duplicate field 'x'"),
        ("interface a.b\nmethod M(x: U) -> ()", 2, "M uses unknown type U"),
        ("interface a.b\ntype M ()\nmethod M() -> ()", 3, "duplicate definition of M"),
        ("interface a.b\nerror E", 2, "expected '(', found the end of the text"),
        ("interface a.b\nhello", 2, "expected type, method or error, found 'hello'"),
        ("interface a.b\n\n;", 3, "unexpected ';'"),
    ]

    @Test("what is no interface is refused with its line", arguments: bad)
    func refuse(_ text: String, _ line: Int, _ reason: String) {
        do {
            _ = try InterfaceDescription(text)
            Issue.record("was read")
        } catch VarlinkError.invalidInterface(let actualLine, let actualReason) {
            #expect(actualReason == reason)
            #expect(actualLine == line)
        } catch {
            Issue.record(error)
        }
    }

    @Test("types nested without end do not exhaust the stack", arguments: ["[]", "(a: ", "?[]"])
    func deep(_ opening: String) {
        let text = "interface a.b\ntype T (x: " + String(repeating: opening, count: scaled(100_000, atLeast: 20_000))
        #expect(throws: VarlinkError.self) { try InterfaceDescription(text) }
    }

    @Test("a structure of many fields is read in linear time")
    func manyFields() throws {
        // Were it quadratic, this would take minutes.
        let count = 40_000
        let fields = (0..<count).map { "f\($0): int" }.joined(separator: ",\n")
        let description = try InterfaceDescription("interface a.b\ntype T (\(fields))")
        guard case .structure(let read) = description.type(named: "T") else {
            Issue.record("T is not a structure")
            return
        }
        #expect(read.count == count)
    }

    private static let unportable: [(String, String)] = [
        ("interface a1.b", "The first label of a1.b has a digit or a dash."),
        ("interface a.b\ntype T ()", "Line 2: type T has no fields."),
        ("interface a.b\ntype T (one)", "Line 2: T has an enumeration of one name."),
        ("interface a.b\nerror E (x: ?(one))", "Line 2: E has an enumeration of one name."),
        ("interface a.b\nmethod M(x: [][]int) -> ()", "Line 2: M has an array of arrays."),
        ("interface a.b\ntype T (x: int # why\n)", "Line 3: a comment precedes a closing parenthesis."),
    ]

    @Test("what stock clients stumble on is found", arguments: unportable)
    func portability(_ text: String, _ problem: String) throws {
        #expect(try InterfaceDescription(text).portabilityProblems == [problem])
    }

    @Test("a method that the text has not cannot be implemented")
    func unknownMethod() {
        #expect(throws: VarlinkError.self) {
            try VarlinkInterface("interface a.b", methods: [.answer("Get") { NoParameters() }])
        }
    }

    // MARK: Types against the text

    private struct Right: Codable, Sendable {
        enum Kind: String, Codable { case one, two }
        struct Part: Codable, Sendable {
            var text: String
            var parts: [Part]?
        }
        var kind: Kind
        var count: Int
        var part: Part
        var map: [String: Double]
    }

    private static let right = """
        interface a.b
        type Part (text: string, parts: ?[]Part)
        method Get(kind: (one, two), count: int, part: Part, map: [string]float) -> ()
        """

    private func mismatches(_ text: String) throws -> [String] {
        try VarlinkInterface(text, methods: [.answer("Get") { (_: Right) in NoParameters() }]).mismatches
    }

    @Test("types that say what the text says have no mismatches")
    func rightTypes() throws {
        #expect(try mismatches(Self.right) == [])
    }

    private static let differences: [(String, String, [String])] = [
        ("count: int", "count: string", ["count is read as int"]),
        ("count: int", "count: ?int", ["count may be absent only in the interface"]),
        ("count: int", "number: int", ["count is not in the interface", "cannot", "number is never read"]),
        ("count: int", "count: int, more: ?bool", ["more is never read"]),
        ("(one, two)", "(one, two, three)", ["cannot"]),
        ("parts: ?[]Part", "parts: []Part", ["part.parts may be absent only in Swift"]),
        ("text: string", "text: (one, two)", []),
        ("[string]float", "[string]int", ["map[] is read as float"]),
        ("part: Part", "part: []Part", ["part is read as an object"]),
    ]

    @Test("types that say something else are found out", arguments: differences)
    func wrongTypes(_ there: String, _ here: String, _ expected: [String]) throws {
        let found = try mismatches(Self.right.replacing(there, with: here))
        for problem in expected {
            #expect(found.contains { $0.contains(problem) }, "\(problem) in \(found)")
        }
        #expect(found.isEmpty == expected.isEmpty)
    }

    /// An enumeration with data, as it travels: a kind, and the field of that name.
    private enum Shape: Codable, Sendable {
        case circle(Round)
        case group(Group)

        struct Round: Codable, Sendable { var radius: Double }
        struct Group: Codable, Sendable { var shapes: [Shape]? }
        enum Kind: String, Codable { case circle, group }
        enum Keys: String, CodingKey { case kind, circle, group }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            switch try container.decode(Kind.self, forKey: .kind) {
            case .circle: self = .circle(try container.decode(Round.self, forKey: .circle))
            case .group: self = .group(try container.decode(Group.self, forKey: .group))
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test("an enumeration with data is read by its kinds")
    func kinds() throws {
        let text = """
            interface a.b
            type Round (radius: float)
            type Group (shapes: ?[]Shape)
            type Shape (kind: (circle, group), circle: ?Round, group: ?Group)
            method Get() -> (shape: Shape)
            """
        let method = VarlinkMethod.answer("Get") { () -> [String: Shape] in throw ErrorReply.permissionDenied }
        #expect(try VarlinkInterface(text, methods: [method]).mismatches != [])
        struct Reply: Codable, Sendable { var shape: Shape }
        let right = VarlinkMethod.answer("Get") { () -> Reply in throw ErrorReply.permissionDenied }
        #expect(try VarlinkInterface(text, methods: [right]).mismatches == [])
        let unread = text.replacing("group: ?Group)", with: "group: ?Group, square: ?Round)")
        #expect(try VarlinkInterface(unread, methods: [right]).mismatches == ["Get, reply: shape.square is never read"])
    }

    @Test("the echo service's own types agree with its text, but for the method it lacks")
    func echo() throws {
        let state = EchoState(try VarlinkLoop())
        let interface = try VarlinkInterface(EchoService.text, methods: EchoService.methods(state))
        #expect(interface.mismatches == ["Missing is not implemented"])
        #expect(interface.description.mismatches(ofError: "Failed", with: EchoService.Text.self).isEmpty)
        #expect(!interface.description.mismatches(ofError: "Failed", with: EchoService.To.self).isEmpty)
        #expect(!interface.description.mismatches(ofError: "Gone", with: EchoService.To.self).isEmpty)
    }
}
