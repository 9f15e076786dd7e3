import JSON
import TestSupport
import Testing

/// Parsing of the structure only, and pointers.
struct JSONDocumentTests {
    private func root(_ text: String) throws -> JSONValue {
        try JSONDocument(Array(text.utf8), .structure).root
    }

    @Test("a pointer leads to the same values as a walk over the tree")
    func pointers() throws {
        try checkProperty("a pointer is a walk", cases: 5_000, maxSize: 6) { random, size in
            let tree = JSONTree.random(&random, depth: size)
            var steps = tree.randomSteps(&random)
            // A pointer has at most one star.
            if let star = steps.firstIndex(of: "*") {
                steps = steps.prefix(star + 1) + steps.dropFirst(star + 1).filter { $0 != "*" }
            }
            return (tree: tree, text: tree.text(&random), steps: steps)
        } property: { example in
            let escaped = example.steps.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
            let pointer = try JSONPointer(escaped)
            try verify(pointer.steps == example.steps, "\(escaped) was read as \(pointer.steps)")
            let found = try pointer.values(in: JSONDocument(Array(example.text.utf8), .structure).root).compactMap {
                JSONTree($0)
            }
            let expected = example.tree.values(along: example.steps[...])
            try verify(found == expected, "\(escaped) in \(example.text) leads to \(found)")
        }
    }

    @Test("any bytes are read or refused")
    func anyBytes() throws {
        try checkProperty("bytes are read or refused", cases: 5_000, maxSize: 5) { random, size in
            var bytes = Array(JSONTree.random(&random, depth: size).text(&random).utf8)
            for _ in 0..<random.int(in: 1..<4) where !bytes.isEmpty {
                let index = random.int(in: 0..<bytes.count)
                switch random.int(in: 0..<3) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(Array("\"\\[]{},:0tu\u{0}".utf8)[random.int(in: 0..<12)], at: index)
                default: bytes[index] = UInt8(random.int(in: 0..<256))
                }
            }
            return bytes
        } property: { bytes in
            guard let text = try? JSONDocument(bytes, .structure) else { return }
            _ = JSONTree(text.root)
            for pointer in ["", "/a", "/*/0", "/0/*"] { _ = try? JSONPointer(pointer).values(in: text.root) }
        }
    }

    @Test(
        "RFC 6901's own examples",
        arguments: [
            ("", "{"), ("/foo", "[\"bar\", \"baz\"]"), ("/foo/0", "\"bar\""), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("/foo/-", nil),
            ("/foo/2", nil), ("/foo/01", nil), ("/foo/bar", nil), ("/x", nil), ("/ /0", nil),
            ("/foo/99999999999999999999", nil), ("/foo/*", "\"bar\""),
        ] as [(String, String?)])
    func examples(_ pointer: String, _ expected: String?) throws {
        let text = ##"""
            {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}
            """##
        let found = try JSONPointer(pointer).value(in: root(text)).map(JSONTree.init)
        let wanted = expected == "{" ? JSONTree(try root(text)) : try expected.flatMap { JSONTree(try root($0)) }
        #expect(found ?? nil == wanted)
    }

    @Test(
        "a text in which it is unclear where a value begins is refused",
        arguments: [
            "", " ", "[", "]", "{", "[1", "[1 2]", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{1:1}",
            "\"a", "\"a\\\"", "[}", "{]", "[{]}", "1 2", "[] []", "<html>", "{\"a\" 1}", "{\"a\"::1}", "'a'", "[1;2]",
            "/**/1",
        ])
    func malformed(_ text: String) {
        #expect(throws: JSONError.self) { try root(text) }
    }

    @Test(
        "a value that is no JSON spoils itself alone",
        arguments: [
            "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "nul", "True", "1-2",
        ])
    func invalid(_ word: String) throws {
        let list = try root("[1,\(word),2]")
        #expect(JSONTree(list) == nil)
        #expect(try JSONPointer("/*").values(in: list).map(\.kind) == [.number, .invalid, .number])
    }

    @Test(
        "a string that is no text spoils itself alone",
        arguments: [
            #"\ud83d"#, #"\ude00"#, #"\ud83d\u0041"#, #"\ud83dx"#, #"\ude00\ud83d"#, #"\x41"#, #"\u12"#, #"\u+041"#,
            #"\u00g0"#,
            "a\nb", "a\u{1}b",
        ])
    func noText(_ raw: String) throws {
        let list = try root("[\"good\",\"\(raw)\",\"good\"]")
        #expect(try JSONPointer("/*").values(in: list).map(\.string) == ["good", nil, "good"])
    }

    @Test(
        "what is not UTF-8 spoils its own string alone",
        arguments: [
            [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func encoding(_ bytes: [UInt8]) throws {
        let text = Array("[\"a\",\"".utf8) + bytes + Array("\",\"b\"]".utf8)
        #expect(try JSONPointer("/*").values(in: JSONDocument(text, .structure).root).map(\.string) == ["a", nil, "b"])
    }

    @Test("a duplicate name is refused only on the way of the pointer")
    func twice() throws {
        let text = try root(#"{"a":1,"\u0061":2,"b":{"c":1,"c":1},"d":3}"#)
        #expect(throws: JSONPointer.NoClearValue.ambiguous) { try JSONPointer("/a").values(in: text) }
        #expect(throws: JSONPointer.NoClearValue.ambiguous) { try JSONPointer("/b/c").values(in: text) }
        #expect(try JSONPointer("/d").value(in: text)?.number == "3")
    }

    @Test("100,000 levels of brackets are skipped")
    func deep() throws {
        for (opening, inner, closing) in [("[", "", "]"), ("{\"a\":", "1", "}")] {
            let deep = String(repeating: opening, count: 100_000) + inner + String(repeating: closing, count: 100_000)
            let list = try root("[\(deep),\"good\"]")
            #expect(try JSONPointer("/1").value(in: list)?.string == "good")
        }
    }

    @Test("a byte order mark is skipped")
    func mark() throws {
        #expect(try JSONDocument([0xEF, 0xBB, 0xBF] + Array("\"a\"".utf8), .structure).root.string == "a")
    }
}
