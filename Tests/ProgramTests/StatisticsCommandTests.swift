import JokesCore
import TestSupport
import Testing

/// The commands stats, categories, hidden and today, and the counts of status and sources.
@Suite struct StatisticsCommandTests {
    private struct PrintedStatistics: Decodable {
        var jokes, unseen, favorites, served: Int
    }

    /// A daemon with shown, unrated, hidden and duplicate jokes.
    private func daemon() async throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let ducks = (1...30).map { "Duck number \($0).\n%\n" }.joined()
        let sources = [
            fortuneSource(try daemon.folder.write(ducks, to: "ducks"), name: "ducks"),
            fortuneSource(
                try daemon.folder.write("DUCK number 1!\n%\nA goose.\n", to: "others"), name: "others"),
            fortuneSource(
                try daemon.folder.write("Unrated one.\n%\nUnrated two.\n", to: "odd"), name: "odd", safety: "unknown"),
        ]
        try daemon.reload(#"{"sources": [\#(sources.joined(separator: ", "))]}"#)
        try await daemon.waitForSyncs()
        let ids = try daemon.json("list", "--source", "ducks", as: [PrintedJoke].self).map(\.id)
        #expect(try daemon.control(["hide"] + ids.suffix(2)).ending == .exited(0))
        #expect(try daemon.control(["favorite"] + ids.prefix(3)).ending == .exited(0))
        return daemon
    }

    @Test("status, stats and sources print the counts, which `CountsAgreeTests` compares")
    func sums() async throws {
        let daemon = try await daemon()
        for _ in 0..<5 { #expect(try daemon.control("random", "--source", "ducks").ending == .exited(0)) }
        // The daemon collects served jokes before it writes them.
        try await waitUntil("the served jokes were counted") {
            try daemon.json("stats", as: PrintedStatistics.self).served == 5
        }
        let counts = try daemon.status().jokes
        let statistics: PrintedStatistics = try daemon.json("stats")
        #expect((counts.filteredOut, counts.hidden, counts.duplicates) == (2, 2, 1))
        #expect(statistics.favorites == 3 && statistics.unseen == counts.shown - 5)
        let words = "\(counts.shown) shown of \(counts.cached) cached: 2 filtered out, 2 hidden, 1 duplicate"
        #expect(try daemon.control("status").output.contains("jokes         \(words)\n"))
        #expect(try daemon.control("stats").output.contains("jokes         \(words)\n"))
        let table = try daemon.control("sources").output.split(separator: "\n").map { line in
            line.split(separator: " ").map(String.init)
        }
        #expect(table[0] == ["SOURCE", "CACHED", "SHOWN", "FILTERED", "HIDDEN", "DUPLICATES", "STATE"])
        let rows = table.dropFirst().filter { ["ducks", "others", "odd", "starter", "total"].contains($0[0]) }
        try #require(rows.count == 5)
        for column in 1...5 {
            let numbers = rows.compactMap { Int($0[column]) }
            #expect(
                numbers.count == 5 && numbers.dropLast().reduce(0, +) == numbers[4], "\(table[0][column]): \(numbers)")
        }
        #expect(rows.last?.dropFirst().map { Int($0) } == [counts.cached, counts.shown, 2, 2, 1])
        let text = try daemon.control("sources").output
        #expect(text.contains("bundled with jokesd\n"))
        #expect(text.contains("2 unrated, not shown; jokesctl source set "))
    }

    @Test("a removed source stays in the table until it is forgotten")
    func removed() async throws {
        let daemon = try await daemon()
        try daemon.reload(#"{"sources": []}"#)
        let text = try daemon.control("sources").output
        #expect(
            text.contains("no longer configured\n") && text.contains("'jokesctl forget odd' removes the jokes."),
            "\(text)")
        #expect(try daemon.control("forget", "odd").ending == .exited(0))
        #expect(try !daemon.control("sources").output.contains("odd "))
    }

    @Test("hidden lists the hidden jokes, show says that a joke is hidden, and unhide empties the list")
    func hidden() async throws {
        let daemon = try await daemon()
        let hidden = try daemon.control("hidden", "--format", "{id}").output.split(separator: "\n").map(String.init)
        #expect(hidden.count == 2)
        #expect(try daemon.control("hidden", "--limit", "1").output.split(separator: "\n").count == 1)
        let shown = try daemon.control("show", hidden[0])
        #expect(
            shown.output.contains("not shown     hidden; jokesctl unhide '\(hidden[0])'\n"), "\(shown)"
        )
        #expect(try daemon.control(["unhide"] + hidden).ending == .exited(0))
        #expect(try daemon.control("hidden").output == "No joke is hidden. 'jokesctl hide ID' hides a joke.\n")
        #expect(try !daemon.control("show", hidden[0]).output.contains("unhide"))
        #expect(try daemon.control("hide", hidden[0]).ending == .exited(0))
        try daemon.reload(#"{"sources": [], "filter": {"languages": ["de"]}}"#)
        #expect(
            try daemon.control("hidden").output
                == "1 hidden joke is not listed: not cached, or excluded by the filter.\n")
    }

    @Test("today prints the same joke again, also after a restart, in every format, and show counts it as served")
    func today() async throws {
        let daemon = try await daemon()
        let joke: PrintedJoke = try daemon.json("today")
        #expect(try daemon.control("today", "--format", "{id}").output == "\(joke.id)\n")
        #expect(try daemon.control("today").output.hasPrefix(joke.setup))
        #expect(try daemon.control("today", "--single-line").output.split(separator: "\n").count == 1)
        #expect(try daemon.control("today", "--format", "waybar").output.hasPrefix(#"{"text":""#))
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        #expect(try daemon.json("today", as: PrintedJoke.self).id == joke.id)
        #expect(try daemon.control("show", joke.id).output.contains("served        1 time, last just now\n"))
        let wrong = try daemon.control("today", "--single-line", "--json")
        #expect(wrong.ending == .exited(64) && wrong.errors.contains("jokesctl today --format"))
        #expect(try daemon.stop() == .exited(0))
        let quiet = try daemon.control("today", "--quiet")
        #expect(quiet.ending == .exited(69) && quiet.output.isEmpty && quiet.errors.isEmpty)
        #expect(try daemon.control("today", "--format", "waybar").output.contains(#""class":"away""#))
    }
}
