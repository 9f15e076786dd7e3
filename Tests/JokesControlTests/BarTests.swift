import Diffable
import FoundationEssentials
import JokesCore
import TestSupport
import Testing

@testable import JokesControl

/// The lines for status bars. Tests in ProgramTests run the bars themselves.
@Suite struct BarTests {
    private func contents() -> [BarContent] {
        var random = SplitMix64(seed: testSeed)
        let count = scaled(3000)
        return (0..<count).map { number in
            let joke = BarContent(random.joke(number * 300 / count))
            let remark = random.text(5)
            return switch random.int(in: 0..<4) {
            case 0: joke.away(remark)
            case 1: BarContent(.empty, remark)
            default: joke
            }
        }
    }

    private func lines(_ format: BarFormat, _ contents: [BarContent]) throws -> [[String: String]] {
        try contents.map { content in
            let line = format.line(content)
            try verify(line.unicodeScalars.allSatisfy { !$0.isControl }, line.debugDescription)
            return try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        }
    }

    private static let needsPython = ConditionTrait.enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)")

    @Test("waybar shows the joke without interpreting markup in it, and the tooltip has the whole joke", needsPython)
    func waybar() throws {
        let contents = contents()
        let lines = try lines(.waybar, contents)
        for (line, content) in zip(lines, contents) {
            #expect(line["alt"] == content.state.rawValue && line["class"] == content.state.rawValue)
        }
        let keys: Set = ["text", "tooltip", "alt", "class"]
        #expect(lines.allSatisfy { Set($0.keys) == keys })
        #expect(try textInMarkup(lines.map { $0["text"] ?? "" }) == contents.map(\.line), "seed \(testSeed)")
        #expect(try textInMarkup(lines.map { $0["tooltip"] ?? "" }) == contents.map(\.details), "seed \(testSeed)")
    }

    @Test("i3blocks shows the joke from short lines without escapes, which i3blocks 1.4 cannot read", needsPython)
    func i3blocks() throws {
        let contents = contents()
        let lines = try lines(.i3blocks, contents)
        for content in contents {
            let line = BarFormat.i3blocks.line(content)
            #expect(!line.contains("\\") && line.utf8.count < 2000, "\(line); seed \(testSeed)")
        }
        #expect(lines.allSatisfy { $0["markup"] == "pango" })
        #expect(try textInMarkup(lines.map { $0["full_text"] ?? "" }) == contents.map(\.line), "seed \(testSeed)")
        #expect(try textInMarkup(lines.map { $0["short_text"] ?? "" }) == contents.map(\.shortLine), "seed \(testSeed)")
    }

    @Test("a joke becomes one line, and a long joke is cut off")
    func cut() {
        func line(_ text: String) -> String {
            BarContent(TemplateJoke(joke(text))).line
        }
        #expect(line("One\n  duck.") == "One duck.")
        #expect(line(String(repeating: "d", count: 150)).count == 150)
        #expect(line(String(repeating: "d", count: 151)) == String(repeating: "d", count: 150) + "…")
        #expect(line(String(repeating: "d", count: 149) + " duck.") == String(repeating: "d", count: 149) + "…")
        #expect(line("a" + String(repeating: "\u{301}", count: 600)) == "…")
    }

    private func joke(_ text: String) -> Joke {
        Joke(
            id: JokeID(rawValue: "a:\(text.count)"), content: JokeContent(text: .single(text)), isFavorite: false,
            firstSeen: Timestamp(microseconds: 0))
    }

    private func content(_ header: JokesHeader?, _ jokes: [Joke], favorites: [Joke] = []) throws -> BarContent {
        var snapshot = JokeSnapshot()
        if !favorites.isEmpty {
            snapshot.appendSections([.favoriteJokes(count: favorites.count)])
            try snapshot.appendItems(
                favorites.map { .favorite(Favorite(id: $0.id, content: $0.content, favoritedAt: $0.firstSeen)) })
        }
        if let header {
            snapshot.appendSections([.jokes(header)])
            try snapshot.appendItems([.loading(0)] + jokes.map(Item.joke))
        }
        return BarContent(snapshot)
    }

    @Test("a bar shows the newest joke, or else the newest favorite, and the state of the cache")
    func states() throws {
        let (first, second) = (joke("One."), joke("And two."))
        let ok = try content(JokesHeader(), [first, second], favorites: [second])
        #expect(ok.line == "One." && ok.state == .ok && ok.details == "One.")
        let favorite = try content(nil, [], favorites: [second, first])
        #expect(favorite.line == "And two." && favorite.state == .ok && favorite.joke?.isFavorite == true)
        let failing = try content(JokesHeader(failing: ["dad", "geese"]), [first])
        #expect(
            failing.state == .failing && failing.details == "One.\n\nFailing: dad, geese. Try: jokesctl sources")
        let offline = try content(JokesHeader(isOffline: true, failing: ["dad"]), [first])
        #expect(
            offline.state == .offline && offline.details == "One.\n\nOffline: no source on the network can be reached.")
        let empty = try content(JokesHeader(), [])
        let none = "No joke is cached yet, or all are hidden or excluded by the filter."
        #expect(empty.state == .empty && empty.line == "no jokes to show" && empty.details == none)
        let emptyFailing = try content(JokesHeader(failing: ["dad"]), [])
        #expect(
            emptyFailing.state == .empty
                && emptyFailing.details == "\(none)\nFailing: dad. Try: jokesctl sources")
        #expect(try content(nil, []).details.isEmpty)
        let away = ok.away("It ended.")
        #expect(away.line == "One." && away.state == .away && away.details == "One.\n\nIt ended.")
        #expect(BarContent(.away, "Gone.").line == "jokesd is unreachable")
    }
}
