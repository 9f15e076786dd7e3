import TestSupport
import Testing

@testable import JSON5

/// Edits of JSON5 texts that keep everything else.
@Suite struct JSON5EditorTests {
    // MARK: Style

    private static let file = """
        // The configuration.
        {
          "sources": [
            // Dad jokes.
            {
              "name": "dad",   // the prefix
              "type": "icanhazdadjoke",
            },
            { "name": "chuck", "type": "chucknorris", "enabled": false },
            // more to come
          ],
          "feed": { "size": NaN }, /* rows */
        }

        """

    @Test("a new element has the indentation and the trailing comma of the list, and follows its last comment")
    func append() throws {
        var editor = try JSON5Editor(Self.file)
        try editor.append("{\n  \"name\": \"x\",\n  \"map\": {\n    \"text\": \"/a\"\n  }\n}", to: [.key("sources")])
        let expected = Self.file.replacing(
            "    // more to come\n",
            with: """
                    // more to come
                    {
                      "name": "x",
                      "map": {
                        "text": "/a"
                      }
                    },

                """)
        #expect(editor.text == expected)
    }

    @Test("a member is added in the style of its object, and an existing one gets another value")
    func set() throws {
        var editor = try JSON5Editor(Self.file)
        try editor.set("enabled", to: "false", at: [.key("sources"), .index(0)])
        try editor.set("enabled", to: "true", at: [.key("sources"), .index(1)])
        try editor.set("placeholders", to: "3", at: [.key("feed")])
        let expected = Self.file
            .replacing("\"icanhazdadjoke\",\n", with: "\"icanhazdadjoke\",\n      \"enabled\": false,\n")
            .replacing("\"enabled\": false }", with: "\"enabled\": true }")
            .replacing("{ \"size\": NaN }", with: "{ \"size\": NaN, \"placeholders\": 3 }")
        #expect(editor.text == expected)
    }

    @Test("a removed element takes its lines with it, and leaves the comments around it")
    func remove() throws {
        var editor = try JSON5Editor(Self.file)
        try editor.remove(at: [.key("sources"), .index(0)])
        try editor.remove(at: [.key("sources"), .index(0)])
        #expect(
            editor.text == """
                // The configuration.
                {
                  "sources": [
                    // Dad jokes.
                    // more to come
                  ],
                  "feed": { "size": NaN }, /* rows */
                }

                """)
        try editor.append("{\n  \"name\": \"y\"\n}", to: [.key("sources")])
        #expect(editor.text.contains("    // more to come\n    {\n      \"name\": \"y\"\n    },\n  ],\n"))
    }

    @Test(
        "each style is kept: line ends, tabs, no trailing commas, one line, and braces side by side",
        arguments: [
            ("[]", "[1]"), ("[1]", "[1, 1]"), ("[ 2, ]", "[ 2, 1, ]"), ("[2 /* two */]", "[2, /* two */ 1]"),
            ("[\n\t2\n]", "[\n\t2,\n\t1\n]"), ("[\r\n  2,\r\n]", "[\r\n  2,\r\n  1,\r\n]"),
            ("[2, // two\n]", "[2, // two\n  1,\n]"), ("[2 // two\n]", "[2, // two\n  1\n]"),
            ("[\n  // none yet\n]\n", "[\n  // none yet\n  1\n]\n"), ("\n[]", "\n[\n  1\n]"),
            ("[[\n  3\n]]", "[[\n  3\n], 1]"),
        ])
    func styles(text: String, result: String) throws {
        var editor = try JSON5Editor(text)
        try editor.append("1", to: [])
        #expect(editor.text == result)
        try editor.remove(at: [.index((editor.value.elements?.count ?? 0) - 1)])
        #expect(try JSON5Reader.read(text) == editor.value)
    }

    @Test(
        "a removed value leaves no comma or space behind",
        arguments: [
            ("{ \"a\": 1, \"b\": 2 }", "b", "{ \"a\": 1 }"), ("{ \"a\": 1, \"b\": 2 }", "a", "{ \"b\": 2 }"),
            ("{a: 1, b: 2,}", "b", "{a: 1, }"), ("{\n  a: 1,\n  b: 2\n}", "b", "{\n  a: 1\n}"),
            ("{\n  a: 1,\n  b: 2 // two\n}", "b", "{\n  a: 1\n  // two\n}"), ("{ a: 1 }", "a", "{ }"),
        ])
    func leavesNothing(text: String, key: String, result: String) throws {
        var editor = try JSON5Editor(text)
        try editor.remove(at: [.key(key)])
        #expect(editor.text == result)
    }

    @Test("text with comments is not put into one line, where a comment would end it")
    func comments() throws {
        var editor = try JSON5Editor("{}")
        try editor.set("sources", to: "[ // none\n\n]", at: [])
        #expect(editor.text == "{\n  \"sources\": [ // none\n\n  ]\n}")
    }

    @Test("the text of a value has its comments, without the indentation of its place")
    func source() throws {
        let editor = try JSON5Editor(Self.file)
        #expect(
            editor.source(at: [.key("sources"), .index(0)])?.hasPrefix("{\n  \"name\": \"dad\",   // the prefix\n")
                == true)
        #expect(editor.source(at: [.key("feed")]) == "{ \"size\": NaN }")
        #expect(editor.source(at: [.key("cache")]) == nil)
    }

    @Test("an edit without a place, or with a value that is not JSON5, changes nothing")
    func refused() throws {
        var editor = try JSON5Editor(Self.file)
        #expect(throws: JSON5Editor.Failure.noSuchValue) { try editor.append("1", to: [.key("feed")]) }
        #expect(throws: JSON5Editor.Failure.noSuchValue) { try editor.append("1", to: [.key("nothing")]) }
        #expect(throws: JSON5Editor.Failure.noSuchValue) { try editor.set("a", to: "1", at: [.key("sources")]) }
        #expect(throws: JSON5Editor.Failure.noSuchValue) { try editor.remove(at: [.key("sources"), .index(2)]) }
        #expect(throws: JSON5Editor.Failure.noSuchValue) { try editor.remove(at: []) }
        #expect(throws: JSON5Editor.Failure.unexpectedResult) { try editor.append("1, 2", to: [.key("sources")]) }
        #expect(editor.text == Self.file)
    }

    // MARK: Properties

    private struct Case: CustomStringConvertible {
        let text: String
        let seed: UInt64
        var description: String { "\(text.debugDescription), seed \(seed)" }
    }

    @Test("in random documents, edits give the expected values, and keep all comments and all other bytes")
    func properties() throws {
        var edits = 0
        try checkProperty(
            "an edit changes nothing else", cases: 4_000, atLeast: 400, maxSize: 5,
            generate: { random, size in
                Case(text: RandomJSON5(seed: random.next(), size: size).text, seed: random.next())
            },
            property: { sample in
                var random = SplitMix64(seed: sample.seed)
                var editor = try JSON5Editor(sample.text)
                for _ in 0..<3 {
                    let before = editor
                    let path = Self.container(of: editor.value, &random)
                    switch random.int(in: 0..<3) {
                    case 0: try Self.append(to: &editor, path)
                    case 1: try Self.set(in: &editor, path, key: random.chance(1, in: 2) ? "a" : "new")
                    default: try Self.remove(from: &editor, path, &random)
                    }
                    if editor.text.utf8.elementsEqual(before.text.utf8) == false { edits += 1 }
                }
            })
        #expect(edits > scaled(1_000))
    }

    private static let new = "{\n  \"n\": [1],\n  \"s\": \"// no comment\"\n}"

    private static func append(to editor: inout JSON5Editor, _ path: JSON5Editor.Path) throws {
        let before = editor
        guard let elements = editor.value.at(path)?.elements else { return }
        try editor.append(new, to: path)
        try verify(editor.value.at(path)?.elements == elements + [try JSON5Reader.read(new)], "the list is longer")
        try checkAdditions(before.text, editor.text)
    }

    private static func set(in editor: inout JSON5Editor, _ path: JSON5Editor.Path, key: String) throws {
        let before = editor
        guard let members = editor.value.at(path)?.members else { return }
        try editor.set(key, to: new, at: path)
        try verify(editor.value.at(path)?[key] == (try JSON5Reader.read(new)), "the member has its value")
        if !members.contains(where: { $0.key == key }) { try checkAdditions(before.text, editor.text) }
    }

    private static func remove(
        from editor: inout JSON5Editor, _ path: JSON5Editor.Path, _ random: inout SplitMix64
    ) throws {
        let before = editor
        guard let steps = editor.value.at(path)?.steps, !steps.isEmpty else { return }
        let step = steps[random.int(in: 0..<steps.count)]
        let lost = comments(editor.source(at: path + [step]) ?? "")
        try editor.remove(at: path + [step])
        try verify(isPart(editor.text, of: before.text), "nothing was added: \(editor.text.debugDescription)")
        // Between a key and its value there may be comments, too.
        let (old, new) = (comments(before.text), comments(editor.text))
        if case .index = step { try verify(new.count == old.count - lost.count, "the comments around it stay") }
    }

    private static func checkAdditions(_ old: String, _ new: String) throws {
        try verify(isPart(old, of: new), "everything is still there: \(new.debugDescription)")
        try verify(comments(old) == comments(new), "the comments are the same")
    }

    /// Returns whether the first text is the second one without some of its characters.
    private static func isPart(_ part: String, of whole: String) -> Bool {
        var rest = whole.unicodeScalars[...]
        return part.unicodeScalars.allSatisfy { scalar in
            guard let index = rest.firstIndex(of: scalar) else { return false }
            rest = rest[rest.index(after: index)...]
            return true
        }
    }

    /// Returns the comments of a text, found without the scanner under test.
    private static func comments(_ text: String) -> [String] {
        var found: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        let string = { (scalars: ArraySlice<Unicode.Scalar>) in String(String.UnicodeScalarView(scalars)) }
        while let scalar = rest.first {
            var length = 1
            if scalar == "\"" || scalar == "'" {
                while rest.dropFirst(length).first != scalar {
                    length += rest.dropFirst(length).first == "\\" ? 2 : 1
                }
                length += 1
            } else if scalar == "/", rest.dropFirst().first == "/" {
                length = rest.prefix { !["\n", "\r", "\u{2028}", "\u{2029}"].contains($0) }.count
                found.append(string(rest.prefix(length)))
            } else if scalar == "/" {
                length = 4
                while !rest.prefix(length).suffix(2).elementsEqual("*/".unicodeScalars) { length += 1 }
                found.append(string(rest.prefix(length)))
            }
            rest = rest.dropFirst(length)
        }
        return found
    }

    /// Returns the path of a random list or object; the path of the whole text if it is neither.
    private static func container(of value: LocatedJSON, _ random: inout SplitMix64) -> JSON5Editor.Path {
        let inner = value.steps.filter { !(value.at([$0])?.steps ?? []).isEmpty }
        guard !inner.isEmpty, random.chance(1, in: 2) else { return [] }
        let step = inner[random.int(in: 0..<inner.count)]
        return [step] + container(of: value.at([step]) ?? value, &random)
    }
}

extension LocatedJSON {
    /// The steps to the values in it. The second member with the same key has none.
    fileprivate var steps: [JSON5Editor.Step] {
        switch value {
        case .array(let elements): elements.indices.map { .index($0) }
        case .object(let members):
            members.enumerated().filter { index, member in !members[..<index].contains { $0.key == member.key } }
                .map { .key($1.key) }
        default: []
        }
    }

    fileprivate func at(_ path: JSON5Editor.Path) -> LocatedJSON? {
        path.reduce(self) { value, step in
            switch step {
            case .index(let index): value?.elements?[index]
            case .key(let key): value?[key]
            }
        }
    }
}
