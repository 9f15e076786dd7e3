import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// The command search.
@Suite struct SearchCommandTests {
    private func daemon(_ jokes: [String]) async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write(jokes.map { $0 + "\n%\n" }.joined(), to: "f")
        try daemon.reload(configuration(fortuneSource(file)))
        try await daemon.waitForSyncs()
        return daemon
    }

    @Test("the matches are bold on a terminal only, on one line with the ID")
    func marks() async throws {
        let daemon = try await daemon(["The zebra\nand the Zebräs.", "No such animal."])
        let plain = try daemon.control("search", "zebra").output
        #expect(plain.hasSuffix("  The zebra and the Zebräs.\n") && plain.split(separator: "\n").count == 1)
        let colored = try daemon.control("--color", "always", "search", "zebra").output
        #expect(colored.contains("The \u{1B}[1mzebra\u{1B}[0m and the \u{1B}[1mZebräs\u{1B}[0m."))
        #expect(try daemon.control("search", "giraffe").output.contains("No shown joke matches. Search for "))
        for query in ["-giraffe", "\"", "!!! -\"giraffe\""] {
            #expect(try daemon.control("search", "--", query).output.contains("No shown joke matches. "))
        }
    }

    @Test("the JSON has the joke, and its marks as ranges of bytes")
    func json() async throws {
        let daemon = try await daemon(["Ä zebra."])
        let found: [PrintedSearchResult] = try daemon.json("search", "zebra")
        #expect(found.map(\.joke.setup) == ["Ä zebra."])
        #expect(found.first?.marks == [PrintedSearchResult.TextRange(part: "setup", start: 3, end: 8)])
        #expect(found.first?.snippet == PrintedSearchResult.TextRange(part: "setup", start: 0, end: 9))
    }

    @Test("operands are words, phrases, prefixes and excluded words, and --limit limits the results")
    func queries() async throws {
        let daemon = try await daemon((1...120).map { "Zebra number \($0) of the zoo\($0 % 2)." })
        func count(_ arguments: String...) throws -> Int {
            try daemon.control(["search"] + arguments).output.split(separator: "\n").count
        }
        #expect(try count("zebra") == 120)
        #expect(try count("zebra", "--limit", "110") == 110)
        #expect(try count("number", "zebra", "zoo1") == 60)
        #expect(try count("zebra -zoo1") == 60)
        #expect(try count("--", "zebra", "-zoo1") == 60)
        #expect(try count("\"number 12\"") == 1)
        #expect(try count("\"number 12\"*") == 2)
        #expect(try count("z* 7") == 11)
    }

    @Test("words are found in every script")
    func scripts() async throws {
        let daemon = try await daemon([
            "我是日本語の先生です。", "Die Straße.", "IŞIK!", "رأى البَطَّةَ", "שָׁלוֹם לך", "우리 강아지가", "がまん", "I mustn’t.", "Oh 👍🏽",
        ])
        for query in [
            "日本語", "strasse", "ışık", "البطة", "שלום", "\u{1100}\u{1161}\u{11BC}아지", "か\u{3099}まん", "mustnt", "👍",
        ] {
            #expect(try daemon.control("search", query).output.split(separator: "\n").count == 1, "\(query)")
        }
        for query in ["日語", "strase", "بطة", "שלו ", "강지", "かまん", "mus ", "👎"] {
            #expect(try daemon.control("search", query).output.contains("No shown joke matches. "), "\(query)")
        }
    }

    @Test("a malformed cursor is refused by name")
    func cursors() async throws {
        let daemon = try await daemon((1...3).map { "Zebra number \($0)." })
        let connection = try daemon.connect()
        let first = try connection.call(SearchMethod.self, .init(.init(query: "zebra", limit: 2)))
        #expect(first.found.count == 2 && first.total == 3 && first.exact)
        let next = try #require(first.next)
        #expect(try connection.call(SearchMethod.self, .init(.init(query: "zebra", cursor: next))).found.count == 1)
        for cursor in ["x", "7", next + "x"] {
            let error = #expect(throws: (any Error).self) {
                try connection.call(SearchMethod.self, .init(.init(query: "zebra", cursor: cursor)))
            }
            #expect(error.map { "\($0)" }?.contains("cursor") == true, "\(String(describing: error))")
        }
    }
}
