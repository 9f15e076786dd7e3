import TestSupport
import Testing

/// The command search.
@Suite struct SearchCommandTests {
    @Test("the matches are bold on a terminal only, on one line with the ID")
    func marks() async throws {
        let daemon = try await DaemonUnderTest.serving(["The zebra\nand the Zebräs.", "No such animal."])
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
        let daemon = try await DaemonUnderTest.serving(["Ä zebra."])
        let found: [PrintedSearchResult] = try daemon.json("search", "zebra")
        #expect(found.map(\.joke.setup) == ["Ä zebra."])
        #expect(found.first?.marks == [PrintedSearchResult.TextRange(part: "setup", start: 3, end: 8)])
        #expect(found.first?.snippet == PrintedSearchResult.TextRange(part: "setup", start: 0, end: 9))
    }
}
