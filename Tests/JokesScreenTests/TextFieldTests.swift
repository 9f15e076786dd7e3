import Terminal
import TestSupport
import Testing

@testable import JokesScreen

/// The text of a prompt and its cursor.
@Suite struct TextFieldTests {
    private enum Edit {
        case key(Key)
        case paste(String)
    }

    /// Characters and the number of those before the cursor.
    private struct SimpleField {
        var characters: [Character] = []
        var cursor = 0

        mutating func perform(_ edit: Edit) {
            switch edit {
            case .key(.character(let character)): insert([character])
            case .paste(let text): insert(Array(text))
            case .key(.backspace) where cursor > 0: delete(cursor - 1..<cursor)
            case .key(.delete) where cursor < characters.count: delete(cursor..<cursor + 1)
            case .key(.control("w")): delete(wordStart..<cursor)
            case .key(.control("u")): delete(0..<cursor)
            case .key(.control("k")): delete(cursor..<characters.count)
            case .key(.left): cursor = max(0, cursor - 1)
            case .key(.right): cursor = min(characters.count, cursor + 1)
            case .key(.alt("b")): cursor = wordStart
            case .key(.alt("f")):
                while cursor < characters.count, characters[cursor] == " " { cursor += 1 }
                while cursor < characters.count, characters[cursor] != " " { cursor += 1 }
            case .key(.home), .key(.control("a")): cursor = 0
            case .key(.end), .key(.control("e")): cursor = characters.count
            default: break
            }
        }

        private var wordStart: Int {
            var start = cursor
            while start > 0, characters[start - 1] == " " { start -= 1 }
            while start > 0, characters[start - 1] != " " { start -= 1 }
            return start
        }

        private mutating func insert(_ new: [Character]) {
            characters.insert(contentsOf: new, at: cursor)
            cursor += new.count
        }

        private mutating func delete(_ range: Range<Int>) {
            characters.removeSubrange(range)
            cursor = range.lowerBound
        }
    }

    private static let keys: [Key] = [
        .backspace, .delete, .control("w"), .control("u"), .control("k"), .left, .right, .alt("b"), .alt("f"), .home,
        .end,
        .control("a"), .control("e"), .up, .down,
    ]

    private static func edits(_ texts: [String]) -> (inout SplitMix64, Int) -> [Edit] {
        { random, size in
            (0..<size).map { _ in
                let text = texts[random.int(in: 0..<texts.count)]
                switch random.int(in: 0..<5) {
                case 0, 1: return .key(keys[random.int(in: 0..<keys.count)])
                case 2: return .paste(text + " " + text)
                default: return .key(.character(Character(text)))
                }
            }
        }
    }

    private func field(after edits: [Edit]) throws -> TextField {
        try edits.reduce(TextField()) { field, edit in
            switch edit {
            case .key(let key): try #require(field.edited(by: key))
            case .paste(let text): field.inserting(text)
            }
        }
    }

    @Test("after any keys and pastes, text and cursor are those of an array of characters and an index")
    func model() throws {
        let texts = ["a", "b", " ", " ", "-", "é", "e\u{301}", "日", "👨‍👩‍👧", "👍🏽"]
        try checkProperty("edits", cases: 2000, maxSize: 40, generate: Self.edits(texts)) { edits in
            var simple = SimpleField()
            for edit in edits { simple.perform(edit) }
            let field = try field(after: edits)
            try verify(field.text == String(simple.characters), "\(field.text) is not \(String(simple.characters))")
            try verify(field.before.count == simple.cursor, "the cursor is at \(field.before.count)")
        }
    }

    @Test("code points that are typed one by one join to characters, and the cursor is never within one")
    func clusters() throws {
        let texts = ["e", "\u{301}", "\u{1F1E9}", "\u{1F1EA}", "\u{200D}", "👩", "\u{1100}", "\u{1161}", " "]
        try checkProperty("code points", cases: 2000, maxSize: 40, generate: Self.edits(texts)) { edits in
            let field = try field(after: edits)
            try verify(
                Array(field.before) + Array(field.after) == Array(field.text), "\(field) is split within a character")
        }
    }
}
