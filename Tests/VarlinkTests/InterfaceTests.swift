import TestSupport
import Testing
import Varlink

@Suite struct InterfaceTests {
    @Test("an interface text is read with its comments")
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
    }

    /// The fields of the type T.
    private func fields(of interface: InterfaceDescription) throws -> [FieldDescription] {
        guard case .structure(let fields) = interface.type(named: "T") else {
            throw BrokenProperty("T is no structure")
        }
        return fields
    }

    @Test("layout does not matter, and a comment belongs to the declaration below it, not to one on its line")
    func layout() throws {
        let text = """
            # a

            # b
            #c
            interface a.b\r
            \ttype T(# any T
            # one
             x:string, # any x
             y:?[]int)# two
            error E()
            # three

            error F () # [Requires 'more' flag]
            method M() -> () #
            """
        let interface = try InterfaceDescription(text)
        #expect(interface.documentation == "b\nc")
        let fields = try fields(of: interface)
        #expect(fields.map(\.documentation) == ["one", ""])
        #expect(fields.map(\.line) == [8, 9])
        #expect(interface.members.map(\.documentation) == ["", "", "", ""])
    }

    @Test("a comment keeps its indentation, and a combining mark after # belongs to the comment")
    func comments() throws {
        let interface = try InterfaceDescription("#\u{FE0F}\u{20E3} keys\n#   a: 1\n#\tb\n# \u{301}\ninterface a.b")
        #expect(
            interface.documentation.unicodeScalars.elementsEqual(
                "\u{FE0F}\u{20E3} keys\n  a: 1\n\tb\n\u{301}".unicodeScalars))
    }

    @Test("spaces and line ends are those of the grammar")
    func spaces() throws {
        let spaces = "\u{A0}\u{FEFF}\u{1680}\u{180E}\u{2000}\u{200A}\u{202F}\u{205F}\u{3000}"
        for end in ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"] {
            let text = "\u{FEFF}# a\(end)interface a.b\(end)\(spaces)\(end)# b\(end)type\(spaces)T\(spaces)()"
            let interface = try InterfaceDescription(text)
            #expect(interface.documentation == "a" && interface.members.map(\.documentation) == ["b"])
            #expect(interface.members.map(\.line) == [5], "\(end.debugDescription)")
        }
        for other in ["\u{B}", "\u{C}", "\u{85}", "\u{200B}"] {
            #expect(throws: VarlinkError.self) { try InterfaceDescription("interface\(other) a.b") }
        }
    }

    @Test("any is a type, also if it is optional, in a list or in a map")
    func any() throws {
        let interface = try InterfaceDescription("interface a.b\ntype T (a: any, any: ?any, c: []any, d: ?[string]any)")
        let fields = try fields(of: interface)
        #expect(fields.map(\.type) == [.any, .optional(.any), .array(.any), .optional(.map(.any))])
    }

    @Test("64 nested structures are read, each an optional list")
    func nested() throws {
        func text(_ depth: Int) -> String {
            "interface a.b\ntype T (x: " + String(repeating: "?[](x: ", count: depth) + "?[]int"
                + String(repeating: ")", count: depth + 1)
        }
        #expect(throws: Never.self) { try InterfaceDescription(text(64)) }
        #expect(throws: VarlinkError.self) { try InterfaceDescription(text(65)) }
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
        ("interface a.b\nmethod M(x: all) -> ()", 2, "expected a type, found 'all'"),
        ("interface a.b\nmethod M(x: ??int) -> ()", 2, "duplicate ?"),
        ("interface a.b\nmethod M(x: int, x: int) -> ()", 2, "duplicate field 'x'"),
        ("interface a.b\nmethod M(x: U) -> ()", 2, "M uses unknown type U"),
        ("interface a.b\ntype M ()\nmethod M() -> ()", 3, "duplicate definition of M"),
        ("interface a.b\nerror E", 2, "expected '(', found the end of the text"),
        ("interface a.b\nhello", 2, "expected type, method or error, found 'hello'"),
        ("interface a.b\n\n;", 3, "unexpected ';'"),
    ]

    @Test("an invalid interface is refused with the line", arguments: bad)
    func refuse(_ text: String, _ line: Int, _ reason: String) {
        let error = #expect(throws: VarlinkError.self) { try InterfaceDescription(text) }
        #expect(error?.description == "invalid interface description, line \(line): \(reason)")
    }

    @Test("deeply nested types do not exhaust the stack", arguments: ["[]", "(a: ", "?[]"])
    func deep(_ opening: String) {
        let text = "interface a.b\ntype T (x: " + String(repeating: opening, count: scaled(100_000, atLeast: 20_000))
        #expect(throws: VarlinkError.self) { try InterfaceDescription(text) }
    }

    @Test("a structure of many fields is read in linear time")
    func manyFields() throws {
        // In quadratic time, this would take minutes.
        let count = 40_000
        let fields = (0..<count).map { "f\($0): int" }.joined(separator: ",\n")
        let description = try InterfaceDescription("interface a.b\ntype T (\(fields))")
        #expect(try self.fields(of: description).count == count)
    }

    @Test("a method that is not in the text cannot be implemented")
    func unknownMethod() {
        #expect(throws: VarlinkError.self) {
            try VarlinkInterface("interface a.b", methods: [.answer("Get") { NoParameters() }])
        }
    }
}
