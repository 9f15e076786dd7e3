import JokesCore
import JokesProtocol
import TestSupport
import Testing
import TextLayout

@testable import JokesControl

/// The tables of sources and of statistics, at every width.
@Suite struct PrintedTableTests {
    private func lines(columns: Int?, symbols: Symbols = .unicode, _ body: (Printer) throws -> Void) throws -> [String]
    {
        let output = OutputBuffer(to: nil)
        try body(
            Printer(
                isJSON: false, hasColor: false, now: Timestamp(microseconds: 10_000_000), columns: columns,
                symbols: symbols, output: output))
        return output.text.split(separator: "\n").map(String.init)
    }

    private func source(_ name: String, type: String = "fortune", _ counts: JokeCounts) -> SourceHealth {
        SourceHealth(name: name, type: type, enabled: type == "fortune", jokes: counts)
    }

    @Test("the counts in words name only what is not 0, and evicted jokes come last")
    func words() {
        #expect(JokeCounts(cached: 84, shown: 84).inWords == "84 shown of 84 cached")
        let all = JokeCounts(
            cached: 212, shown: 84, filteredOut: 120, unrated: 3, hidden: 6, duplicates: 2, evicted: 10)
        let words = "84 shown of 212 cached: 120 filtered out, 6 hidden, 2 duplicates; 10 evicted"
        #expect(all.inWords == words)
        #expect(JokeCounts(evicted: 1).inWords == "0 shown of 0 cached; 1 evicted")
    }

    @Test("the table of sources has only the columns that are not 0, and totals")
    func sources() throws {
        let sources = [
            source("dad", .init(cached: 10, shown: 8, filteredOut: 2)),
            source("fortunes", .init(cached: 128, shown: 0, filteredOut: 128, unrated: 128)),
            source("starter", type: "bundled", .init(cached: 80, shown: 80)),
            source("mine", type: "imported", .init(cached: 3, shown: 0, filteredOut: 3, unrated: 3)),
            source("old", type: "removed", .init(cached: 5, shown: 0, filteredOut: 5, unrated: 1)),
        ]
        #expect(
            try lines(columns: nil) { try $0.table(of: sources) } == [
                "SOURCE    CACHED  SHOWN  FILTERED  STATE",
                "dad           10      8         2  not synced yet",
                "fortunes     128      0       128  not synced yet",
                "                                   128 unrated, not shown; jokesctl source set fortunes --safety safe",
                "starter       80     80         0  bundled with jokesd",
                "mine           3      0         3  imported from a file",
                "                                   3 unrated, not shown; the filter shows only jokes that are rated safe",
                "old            5      0         5  no longer configured",
                "                                   'jokesctl forget old' removes the jokes.",
                "total        226     88       138",
            ])
        #expect(
            try lines(columns: nil) { try $0.table(of: [sources[0]], others: 2) } == [
                "SOURCE  CACHED  SHOWN  FILTERED  STATE", "dad         10      8         2  not synced yet",
                "2 more sources are disabled; 'jokesctl sources' lists all sources.",
            ])
    }

    @Test("no table is wider than the terminal, in UTF-8 or in ASCII, and on a narrow one all counts are printed")
    func widths() throws {
        try checkProperty("tables", cases: 60, maxSize: 12, generate: names, shrink: fewer) { names in
            let counts = JokeCounts(
                cached: 1_000_000, shown: 999_950, filteredOut: 20, unrated: 3, hidden: 10, duplicates: 20, evicted: 7)
            let sources = names.map { source($0, counts) }
            let numbers = names.enumerated().map { NameCount(name: $1, jokes: $0 * 977, unseen: $0) }
            let statistics = StatisticsMethod.Reply(
                jokes: 5, unseen: 3, favorites: 1, served: 2, sources: numbers, categories: numbers, languages: [])
            for columns in [9, 21, 40, 80, 200] {
                for symbols in [Symbols.unicode, .ascii] {
                    let printed = try lines(columns: columns, symbols: symbols) { printer in
                        try printer.table(of: sources)
                        try printer.summary(of: statistics, counts: counts)
                    }
                    let widest = printed.map(\.columns).max() ?? 0
                    try verify(widest <= columns, "a line has \(widest) columns of \(columns)")
                    let isPlain = names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
                    let hasForeign = printed.contains { !$0.utf8.allSatisfy { $0 < 0x80 } }
                    if isPlain && symbols == .ascii { try verify(!hasForeign, "a symbol is not ASCII") }
                    let words = printed.joined(separator: " ").split(separator: " ").joined(separator: " ")
                    if columns == 40 && !names.isEmpty {
                        try verify(words.contains("20 filtered out, 10 hidden"), words)
                    }
                }
            }
        }
    }

    /// Half of the cases have only names as a configuration allows them.
    private func names(_ random: inout SplitMix64, size: Int) -> [String] {
        let isPlain = random.int(in: 0..<2) == 0
        return (0..<size).map { number in
            isPlain
                ? "s\(number)\(String(repeating: "x", count: random.int(in: 0..<30)))"
                : hostileText(&random, size: random.int(in: 0..<40))
        }
    }

    private func fewer(_ names: [String]) -> [[String]] {
        names.indices.map { Array(names[..<$0] + names[($0 + 1)...]) }
    }

    @Test("bars are in proportion, and a number that is not 0 has a bar")
    func bars() throws {
        let names = [("one", 400), ("two", 200), ("three", 1), ("four", 0)].map {
            NameCount(name: $0.0, jokes: $0.1, unseen: 0)
        }
        let bars = try lines(columns: 62) { try $0.table(of: names, headed: "NAME", hasBars: true) }
            .dropFirst().map { line in line.count { $0 == "█" } }
        #expect(bars == [40, 20, 1, 0])
        let narrow = try lines(columns: 24) { try $0.table(of: names, headed: "NAME", hasBars: true) }
        #expect(narrow.allSatisfy { !$0.contains("█") })
        #expect(narrow.first == "NAME   JOKES  UNSEEN")
    }
}
