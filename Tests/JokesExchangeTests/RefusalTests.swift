import JokesCore
import JokesExchange
import TestSupport
import Testing

/// A bad file is refused, with the position and the reason.
@Suite struct RefusalTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)
    private static let favorite =
        #"{"id":"a:1","setup":"One duck.","firstSeen":"2026-01-02T03:04:05Z","favoritedAt":"2026-01-02T03:04:05Z"}"#

    private func read(_ bytes: [UInt8], _ format: ExportFormat? = nil) throws -> Int {
        var count = 0
        try ImportFile(bytes, format: format, now: Self.now).forEachRecord { _ in count += 1 }
        return count
    }

    private static func ours(_ favorites: String, _ rest: String = "") -> String {
        #"{"format":"jokesd","version":1,"favorites":["# + "\n" + favorites + "\n]" + rest + "}"
    }

    private static let unknownFormat = "cannot tell the format of the file"
    private static let unknown = "line 1, column 1: \(unknownFormat)"

    private static let wrong: [(file: String, format: ExportFormat?, complaint: String)] = [
        ("{", nil, "line 1, column 2: unexpected end of the text"),
        ("{}", nil, unknown),
        ("[]", nil, unknown),
        (#"[{"setup": "One duck."}]"# + "\n", nil, unknown),
        ("root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:\n", nil, unknown),
        ("\n<!DOCTYPE html>\n<p>One.\n%\nTwo.\n", nil, "line 2, column 1: \(unknownFormat)"),
        ("<HTML>\n%\n</HTML>\n", nil, unknown),
        (#"<?xml version="1.0"?>"# + "\n%\n", nil, unknown),
        (" \n", nil, unknown),
        ("{} x", nil, "line 1, column 4: unexpected text after the value"),
        (#"{"format":"jokesd"}"#, nil, "line 1, column 1: not a jokesd export"),
        (
            #"{"format":"jokesd","version":2,"favorites":[{"mood":1}]}"#, nil,
            "line 1, column 30: unsupported export version; this program reads version 1"
        ),
        (ours("\(favorite),\n{}"), nil, "line 3, column 1: id: missing"),
        (
            ours("\(favorite),\n{\"id\":\"a:2\",\n\"setup\":7}"), nil,
            "line 4, column 9: setup: expected text, found a number"
        ),
        (
            ours(favorite.replacingLast("Z", with: "")), nil,
            "line 2, column 82: favoritedAt: expected a time such as 2026-02-28T09:30:00Z"
        ),
        (
            ours(#"{"id":"a:1","setup":"One","firstSeen":"2026-01-02T03:04:05Z"}"#), nil,
            "line 2, column 1: favoritedAt: missing"
        ),
        (ours("\(favorite)\n\(favorite)"), nil, "line 3, column 1: expected ',' or the end"),
        (ours("\(favorite),"), nil, "line 3, column 1: expected a value"),
        (ours(favorite, #","mood":[}"#), nil, "line 3, column 11: expected a value"),
        (ours(favorite, #","mood":tru"#), nil, "line 3, column 10: expected a value"),
        (
            #"{"version":"https://jsonfeed.org/version/1.1","items":[],"mood":{"a" 1}}"#, nil,
            "line 1, column 70: expected ':'"
        ),
        (ours(favorite.replacing("One duck.", with: " \\n ")), nil, "line 2, column 1: the text is empty"),
        (
            ours(favorite.replacing("One duck.", with: String(repeating: "é", count: 5000))), nil,
            "line 2, column 1: the text is longer than 8192 bytes"
        ),
        (
            ours(favorite.replacing("a:1", with: "A:1")), nil,
            "line 2, column 1: the ID does not start with a source name and a colon"
        ),
        (
            ours(favorite.replacing(#""setup""#, with: #""safety":"so so","setup""#)), nil,
            "line 2, column 22: safety: expected safe, unsafe or unknown"
        ),
        (
            ours(favorite.replacing("duck", with: "du\tck")), nil,
            "line 2, column 28: unescaped control character"
        ),
        (ours(favorite.replacing("duck", with: "du\nck")), nil, "line 2, column 28: unescaped control character"),
        (
            ours(favorite.replacing(#""setup""#, with: #""note":"\#(String(repeating: "n", count: 501))","setup""#)),
            nil,
            "line 2, column 1: the note is longer than 500 characters"
        ),
        (
            ours(favorite, #","hidden":[{"fingerprint":"12","hiddenAt":"2026-01-02T03:04:05Z"}]"#), nil,
            "line 3, column 28: fingerprint: expected 64 hexadecimal digits"
        ),
        (
            #"{"version":"https://jsonfeed.org/version/1.1"}"#, nil,
            "line 1, column 1: missing member 'items'"
        ),
        (
            #"{"version":"https://jsonfeed.org/version/1.1","items":["# + "\n" + #"{"id":"1","title":"Heading"},"#
                + "\n" + #"{"id":"2"}]}"#, nil,
            "line 3, column 1: the text is empty"
        ),
        (
            #"{"version":"https://jsonfeed.org/version/2","items":[]}"#, .jsonfeed,
            "line 1, column 1: not a JSON Feed of version 1"
        ),
        ("One.\n%\nTwo.\nAnd \u{0}.\n%\n", nil, "line 4, column 1: not UTF-8 text"),
        (
            "One.\n%\n\n" + String(repeating: "long ", count: 2000), nil,
            "line 4, column 1: the text is longer than 8192 bytes"
        ),
        ("[]", .json, "line 1, column 1: not a jokesd export"),
    ]

    @Test("a bad file is refused with line, column and reason", arguments: wrong)
    func refusal(file: String, format: ExportFormat?, complaint: String) throws {
        let problem = #expect(throws: ImportProblem.self) { try read(Array(file.utf8), format) }
        #expect(problem?.description == complaint)
    }

    @Test("a text without '%' lines is a fortune file only if the format says so")
    func statedFormat() throws {
        #expect(try read(Array("One duck.\n".utf8), .fortune) == 1)
        #expect(throws: ImportProblem.self) { try read(Array("One duck.\n".utf8)) }
    }

    @Test(
        "bytes that are not UTF-8 are refused in each format",
        arguments: [
            ours(favorite).replacing("duck", with: "du~ck"), "One.\n%\nTwo ~.\n",
            #"{"version":"https://jsonfeed.org/version/1","items":["# + "\n" + #"{"content_text":"a ~ b"}]}"#,
        ])
    func encoding(file: String) throws {
        let bytes = file.utf8.map { $0 == UInt8(ascii: "~") ? 0xFF : $0 }
        let problem = #expect(throws: ImportProblem.self) { try read(bytes) }
        #expect(problem?.reason.hasSuffix("not UTF-8 text") == true, "\(problem.debugDescription)")
        #expect(problem?.line == file.prefix { $0 != "~" }.count { $0 == "\n" } + 1)
    }

    @Test("a file of JSON that is cut off anywhere is refused")
    func truncated() throws {
        try checkProperty(
            "truncated", cases: 300, maxSize: 6,
            generate: { random, size in
                let records = RandomRecords.make(&random, size: size)
                return (records, random.chance(1, in: 2) ? ExportFormat.json : .jsonfeed, random.next())
            }
        ) { records, format, place in
            let bytes = Array(try exported(records.all, format).utf8)
            // Without the last two, a brace and a line feed, the file is complete.
            let cut = Array(bytes.prefix(Int(place % UInt64(bytes.count - 1))))
            let isRefused = (try? read(cut, format)) == nil
            try verify(isRefused, "\(String(decoding: cut, as: UTF8.self)) was read")
        }
    }

    @Test("random bytes are read or refused")
    func anyBytes() throws {
        let whole = Array(Self.ours(Self.favorite, #","hidden":[],"jokes":[]"#).utf8)
        try checkProperty(
            "any bytes", cases: 3000,
            generate: { random, _ in
                var bytes = whole
                for _ in 0..<random.int(in: 1..<6) {
                    let place = random.int(in: 0..<bytes.count)
                    switch random.int(in: 0..<3) {
                    case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(bytes[random.int(in: 0..<bytes.count)], at: place)
                    }
                }
                return bytes
            }
        ) { bytes in
            for format in [nil] + ExportFormat.importable {
                do {
                    _ = try read(bytes, format)
                } catch is ImportProblem {}
            }
        }
    }

    @Test("unknown members are ignored, and any layout is read")
    func tolerance() throws {
        let spread = """
            {
              "extra": {"a": [1, "]", {"b": null}]},
              "jokes" : [ ] ,
              "favorites": [
                { "mood": 3, "favoritedAt": "2026-01-02T04:04:05.5+01:00", "setup": "Spread\\u0020out.", "id": "a:1" }
              ],
              "version": 1,
              "format": "jokesd"
            }
            """
        var found: [ExchangeRecord] = []
        try ImportFile([0xEF, 0xBB, 0xBF] + spread.utf8, now: Self.now).forEachRecord { found.append($0) }
        let time = Timestamp(microseconds: 1_767_323_045_500_000)
        let content = JokeContent(text: .single("Spread out."))
        #expect(found == [.favorite(Favorite(id: JokeID(rawValue: "a:1"), content: content, favoritedAt: time))])
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { preconditionFailure("\(part) is not in \(self)") }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }

    fileprivate func replacingLast(_ character: Character, with other: String) -> String {
        guard let index = lastIndex(of: character) else { preconditionFailure("\(character) is not in \(self)") }
        return self[..<index] + other + self[self.index(after: index)...]
    }
}
