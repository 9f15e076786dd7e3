import Diffable
import FoundationEssentials
import JokesCore
import TestSupport
import Testing

@testable import JokesControl

/// What status bars are given. Whether they take it, tests in ProgramTests ask them.
@Suite struct BarTests {
    private func pictures() -> [BarPicture] {
        var random = SplitMix64(seed: testSeed)
        let count = scaled(3000)
        return (0..<count).map { number in
            let joke = BarPicture(random.told(number * 300 / count))
            let remark = random.text(5)
            return switch random.int(in: 0..<4) {
            case 0: joke.away(remark)
            case 1: BarPicture(.empty, remark)
            default: joke
            }
        }
    }

    private func lines(_ format: BarFormat, _ pictures: [BarPicture]) throws -> [[String: String]] {
        try pictures.map { picture in
            let line = format.line(picture)
            try hold(line.unicodeScalars.allSatisfy { !$0.isControl }, line.debugDescription)
            return try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        }
    }

    private static let needsPython = ConditionTrait.enabled(if: PlainPython.path != nil, "\(PlainPython.absence)")

    @Test("waybar reads the joke as text and nothing of it as markup, whole in the tooltip", needsPython)
    func waybar() throws {
        let pictures = pictures()
        let lines = try lines(.waybar, pictures)
        for (line, picture) in zip(lines, pictures) {
            #expect(line["alt"] == picture.state.rawValue && line["class"] == picture.state.rawValue)
        }
        let keys: Set = ["text", "tooltip", "alt", "class"]
        #expect(lines.allSatisfy { Set($0.keys) == keys })
        #expect(try textInMarkup(lines.map { $0["text"] ?? "" }) == pictures.map(\.line), "seed \(testSeed)")
        #expect(try textInMarkup(lines.map { $0["tooltip"] ?? "" }) == pictures.map(\.details), "seed \(testSeed)")
    }

    @Test("i3blocks reads the joke as text, from short lines without escapes, which 1.4 does not read", needsPython)
    func i3blocks() throws {
        let pictures = pictures()
        let lines = try lines(.i3blocks, pictures)
        for picture in pictures {
            let line = BarFormat.i3blocks.line(picture)
            #expect(!line.contains("\\") && line.utf8.count < 2000, "\(line); seed \(testSeed)")
        }
        #expect(lines.allSatisfy { $0["markup"] == "pango" })
        #expect(try textInMarkup(lines.map { $0["full_text"] ?? "" }) == pictures.map(\.line), "seed \(testSeed)")
        #expect(try textInMarkup(lines.map { $0["short_text"] ?? "" }) == pictures.map(\.shortLine), "seed \(testSeed)")
    }

    @Test("a line is the joke on one line, and is cut where no bar has room")
    func cut() {
        func line(_ text: String) -> String {
            BarPicture(ToldJoke(joke(text))).line
        }
        #expect(line("One\n  duck.") == "One duck.")
        #expect(line(String(repeating: "d", count: 150)).count == 150)
        #expect(line(String(repeating: "d", count: 151)) == String(repeating: "d", count: 150) + "…")
        #expect(line(String(repeating: "d", count: 149) + " duck.") == String(repeating: "d", count: 149) + "…")
        #expect(line("a" + String(repeating: "\u{301}", count: 600)) == "…")
    }

    private func joke(_ text: String) -> Joke {
        Joke(
            id: JokeID(rawValue: "a:\(text.count)"), content: JokeContent(text: .single(text)), isStarred: false,
            firstSeen: Timestamp(microseconds: 0))
    }

    private func picture(_ header: JokesHeader?, _ jokes: [Joke], favorites: [Joke] = []) throws -> BarPicture {
        var snapshot = JokeSnapshot()
        if !favorites.isEmpty {
            try snapshot.appendSections([.favoriteJokes(count: favorites.count)])
            try snapshot.appendItems(
                favorites.map { .favorite(Favorite(id: $0.id, content: $0.content, favoritedAt: $0.firstSeen)) })
        }
        if let header {
            try snapshot.appendSections([.jokes(header)])
            try snapshot.appendItems([.loading(0)] + jokes.map(Item.joke))
        }
        return BarPicture(snapshot)
    }

    @Test("the newest joke is shown, else the newest favorite, and the state is that of the cache")
    func states() throws {
        let (first, second) = (joke("One."), joke("And two."))
        let well = try picture(JokesHeader(), [first, second], favorites: [second])
        #expect(well.line == "One." && well.state == .ok && well.details == "One.")
        let favorite = try picture(nil, [], favorites: [second, first])
        #expect(favorite.line == "And two." && favorite.state == .ok && favorite.joke?.isStarred == true)
        let failing = try picture(JokesHeader(failing: ["dad", "geese"]), [first])
        #expect(
            failing.state == .failing && failing.details == "One.\n\nFailing: dad, geese. Try: jokesctl sources")
        let offline = try picture(JokesHeader(isOffline: true, failing: ["dad"]), [first])
        #expect(
            offline.state == .offline && offline.details == "One.\n\nOffline: no source on the network can be reached.")
        let empty = try picture(JokesHeader(), [])
        let none = "No joke is cached yet, or all are hidden or excluded by the filter."
        #expect(empty.state == .empty && empty.line == "no jokes to show" && empty.details == none)
        let emptyFailing = try picture(JokesHeader(failing: ["dad"]), [])
        #expect(
            emptyFailing.state == .empty
                && emptyFailing.details == "\(none)\nFailing: dad. Try: jokesctl sources")
        #expect(try picture(nil, []).details.isEmpty)
        let away = well.away("It went.")
        #expect(away.line == "One." && away.state == .away && away.details == "One.\n\nIt went.")
        #expect(BarPicture(.away, "Gone.").line == "jokesd is unreachable")
    }
}
