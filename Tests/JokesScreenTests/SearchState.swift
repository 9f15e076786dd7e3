import Diffable
import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// States of a search, of the end of the jokes and of a hidden joke.
enum SearchState: String, RecordedState {
    case prompt, searching, searched, searchKept, searchAway, searchNothing, searchHostile, searchOffline,
        searchFailing, searchOfManyWords, searchLong, searchLongOneLine, older, hidden

    func perform(on play: inout Play) throws {
        play.happen(.changed(try snapshot()))
        switch self {
        case .prompt: play.type("/")
        case .searching: play.type("/du")
        case .searched, .searchKept:
            play.type("/du")
            if self == .searchKept { play.press(.enter) }
            play.happen(
                .changed(try found("du", ["duck", "dusk", "duel"], favorites: [favorite("t:9", "Kept.")], count: 70)))
        case .searchAway:
            play.type("/du")
            play.happen(.unreachable(reason: "Nobody is there.", retryAt: noon.advanced(by: .seconds(8))))
        case .searchNothing:
            play.search("dux")
            play.happen(.changed(try found("dux", [])))
        case .searchHostile:
            play.type("/\u{202E}日本\u{301}\u{200B}語 שלום" + String(repeating: "W", count: 300))
            play.happen(
                .changed(try found("\u{1B}[2J\u{9B}6n\n\u{202E}x", ["\u{1B}]52;c;aGk=\u{7}", "日\u{200D}本\u{301}"])))
        case .searchOffline, .searchFailing:
            let header =
                self == .searchOffline
                ? JokesHeader(shown: 446, lastSync: noon, isSyncing: true, isOffline: true)
                : JokesHeader(shown: 446, lastSync: noon, failing: ["dad", "jokeapi"])
            play.happen(.changed(try snapshot(header: header)))
            play.search("du")
            play.happen(.changed(try found("du", ["duck", "dusk", "duel"])))
        case .searchOfManyWords:
            let query = "\"walk into a bar\" programmer -manager du* and a very last word of the many that there are"
            play.type("/" + query)
            play.press(.enter)
            play.happen(.changed(try found(query, ["duck"], count: 1234)))
        case .searchLong, .searchLongOneLine:
            play.search("duck")
            play.happen(.changed(try foundFarBehind()))
            if self == .searchLongOneLine { play.type("w") }
        case .older:
            play.happen(.changed(try snapshot(header: JokesHeader(shown: 446, lastSync: noon))))
            play.type("G")
        case .hidden:
            play.type("jx")
            var left = someJokes
            left.remove(at: 1)
            play.answer(.done, try snapshot(jokes: left))
        }
    }
}

/// A joke with a match after hundreds of words, one with a match in its punchline, and one with a match at its start.
private func foundFarBehind() throws -> JokeSnapshot {
    let long = (1...400).map { "word \($0)" }.joined(separator: ", ") + ", and a duck at last, with words behind it."
    let texts = [
        JokeText.single(long), .twoPart(setup: "Who waits at the end?", punchline: "A duck."), .single("A duck."),
    ]
    var snapshot = JokeSnapshot()
    snapshot.appendSections([.searchResults(query: "duck", count: texts.count, isExact: true)])
    let rows = texts.enumerated().map { number, text in
        let id = JokeID(rawValue: "t:\(number)")
        let joke = Joke(
            id: id, content: JokeContent(text: text), isFavorite: false, isSeen: true, firstSeen: noon)
        let part = text.punchline == nil ? TextRange.Part.setup : .punchline
        let mark = text[part].firstRange(of: "duck").map { text[part][..<$0.lowerBound].utf8.count } ?? 0
        return Item.found(FoundJoke(joke: joke, marks: [TextRange(part, mark..<mark + 4)]))
    }
    try snapshot.appendItems(rows, toSection: .searchResults)
    return snapshot
}
