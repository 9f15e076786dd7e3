import Diffable
import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import TestSupport
import Testing
import TextLayout

/// Every key of the table in every mode.
@Suite struct EveryKeyTests {
    private static let bound = KeyTable.standard.bindings.flatMap(\.keys).flatMap(\.self)
    private static let unbound: [Key] = [.character("H"), .function(6), .insert]
    private static let keys = bound + unbound + editingKeys

    @Test("no key is swallowed: the screen changes, or there is an effect", arguments: Mode.allCases)
    func answers(mode: Mode) throws {
        for connection in [Connection.live, .unreachable] {
            let start = try mode.play(connection)
            let before = view(start.model)
            for key in Self.keys {
                var play = start
                play.press(key)
                let isAnswered = !play.takeEffects().isEmpty || view(play.model) != before
                #expect(isAnswered, "\(key.name) in \(mode) (\(connection)):\n\(play.screen)")
            }
        }
    }

    @Test("a key without an action is named, with the key for the help", arguments: Mode.allCases)
    func unbound(mode: Mode) throws {
        var play = try mode.play(.live)
        for key in Self.unbound where !play.isTyping {
            play.press(key)
            #expect(play.screen.hasSuffix(" \(key.name) has no action; ? lists the keys"))
        }
    }

    @Test("escape removes a notice, and then says that there is nothing to close")
    func notices() throws {
        var play = try Mode.onJoke.play(.live)
        let before = play.screen
        play.type("u")
        play.answer(.undone(UndoMethod.Reply()))
        #expect(play.screen.hasSuffix(" Nothing to undo; u takes back favorites, notes, hidden jokes and imports"))
        play.press(.escape)
        #expect(play.screen == before)
        play.press(.escape)
        #expect(play.screen.hasSuffix(" Nothing to close; q quits"))
    }

    @Test("after every key, escape leads to the list in at most five steps, where q quits", arguments: Mode.allCases)
    func leads(mode: Mode) throws {
        for (key, after) in try played(mode) {
            var play = after
            for _ in 0..<5 where !play.isOnList { play.press(.escape) }
            #expect(play.isOnList, "\(key.name) in \(mode):\n\(play.screen)")
            play.type("q")
            #expect(play.takeEffects().contains(.quit), "\(key.name) in \(mode):\n\(play.screen)")
        }
    }

    @Test("after every key, ^C quits in at most five steps, and q does if it is not text", arguments: Mode.allCases)
    func quits(mode: Mode) throws {
        for (key, after) in try played(mode) where key != .control("c") && key != .character("q") {
            // In a prompt, q is text.
            for leaving in after.isTyping ? [Key.control("c")] : [.control("c"), .character("q")] {
                var play = after
                for _ in 0..<5 where !play.effects.contains(.quit) { play.press(leaving) }
                #expect(play.effects.contains(.quit), "\(key.name), \(leaving.name) in \(mode):\n\(play.screen)")
            }
        }
    }

    /// The mode after each key.
    private func played(_ mode: Mode) throws -> [(key: Key, play: Play)] {
        let start = try mode.play(.live)
        return Self.keys.map { key in
            var play = start
            play.press(key)
            return (key, play)
        }
    }

    @Test("after any keys from any mode, escape and q still lead back")
    func anyKeys() throws {
        let generate = { (random: inout SplitMix64, size: Int) in
            let mode = Mode.allCases[random.int(in: 0..<Mode.allCases.count)]
            let connection = Connection.allCases[random.int(in: 0..<Connection.allCases.count)]
            let keys = (0..<size).map { _ in Self.keys[random.int(in: 0..<Self.keys.count)] }
            return (mode, connection, keys)
        }
        try checkProperty("any keys", cases: 400, maxSize: 12, generate: generate) { mode, connection, keys in
            var play = try mode.play(connection)
            for key in keys { play.press(key) }
            // At most one for each page of the stack, and one for a filter.
            for _ in 0..<10 where !play.isOnList { play.press(.escape) }
            _ = play.takeEffects()
            play.type("q")
            try verify(play.takeEffects() == [.quit], "\(mode), \(connection), \(keys):\n\(play.screen)")
        }
    }
}

/// A state of the viewer in which keys have their own meaning.
enum Mode: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case noSnapshot, empty, onJoke, onSingleJoke, onHeader, onFolded, onLoading, onFavorite, besideDetails
    case searchEmpty, searchTyping, searchKept, searchNothing, note, filtered
    case help, helpTyping, helpFound, helpOverSources, helpOverRandom
    case sourcesLoading, sources, sourcesDisabled, sourcesNone, sourcesRefused, source, sourceTesting, sourceTested
    case details, detailsOfHeader
    case filtersLoading, filters, filtersRefused, hiddenLoading, hidden, hiddenRevealed, hiddenNone, hiddenRefused
    case randomLoading, random, randomRevealed, randomRefused

    var testDescription: String { rawValue }

    fileprivate func play(_ connection: Connection) throws -> Play {
        let isNarrow = self == .details || self == .detailsOfHeader
        var play = Play(columns: self == .besideDetails ? 120 : isNarrow ? 60 : 80, rows: isNarrow ? 12 : 24)
        try prepare(&play)
        switch connection {
        case .live: break
        case .connecting: play.happen(.connecting)
        case .unreachable: play.happen(.unreachable(reason: "Gone.", retryAt: noon.advanced(by: .seconds(8))))
        }
        // A notice of an earlier key would hide that a key is swallowed.
        play.press(.control("l"))
        _ = play.takeEffects()
        return play
    }

    private func prepare(_ play: inout Play) throws {
        if self == .noSnapshot { return }
        let favorites = self == .onFavorite ? [favorite("dad:c", "Kept.", "Always.")] : []
        let jokes = self == .empty ? [] : someJokes
        let header = JokesHeader(shown: jokes.count, lastSync: noon)
        let loading = self == .onLoading ? 3 : 0
        play.happen(.changed(try snapshot(favorites: favorites, loading: loading, jokes: jokes, header: header)))
        switch self {
        case .noSnapshot, .empty, .onJoke, .besideDetails: break
        case .onSingleJoke: play.type("j")
        case .onHeader: play.type("g")
        case .onFolded: play.press(.tab)
        case .onLoading: play.type("gj")
        case .onFavorite: play.type("gj")
        case .searchEmpty: play.type("/")
        case .searchTyping, .searchKept, .searchNothing:
            play.type("/du")
            if self != .searchTyping { play.press(.enter) }
            play.happen(.changed(try found("du", self == .searchNothing ? [] : ["duck", "dusk"])))
        case .note: play.type("ea note")
        case .filtersLoading: play.type("F")
        case .filters, .filtered:
            play.type("F")
            play.happen(.answered(.statistics, .statistics(someCounts)))
            if self == .filtered { play.type("jj q") }
        case .filtersRefused:
            play.type("F")
            play.happen(.answered(.statistics, .refused("no")))
        case .hiddenLoading: play.type("U")
        case .hidden, .hiddenRevealed, .hiddenNone:
            play.type("U")
            let rows = self == .hiddenNone ? [] : ["1", "2"].map { hiddenJoke("t:\($0)", "Hidden joke \($0)", "Why.") }
            play.happen(
                .answered(
                    .hidden(cursor: nil),
                    .hidden(HiddenMethod.Reply(hidden: rows, total: rows.count, notCached: 0, next: nil))))
            if self == .hiddenRevealed { play.type(" ") }
        case .hiddenRefused:
            play.type("U")
            play.happen(.answered(.hidden(cursor: nil), .refused("no")))
        case .help: play.type("?")
        case .helpTyping: play.type("?/fav")
        case .helpFound:
            play.type("?/fav")
            play.press(.enter)
        case .helpOverSources: play.type("s?")
        case .helpOverRandom: play.type("z?")
        case .sourcesLoading: play.type("s")
        case .sourcesRefused:
            play.type("s")
            play.happen(.answered(.sources, .refused("no")))
        case .sourcesNone:
            play.type("s")
            play.happen(.answered(.sources, .sources([])))
        case .sources, .sourcesDisabled, .source, .sourceTesting, .sourceTested:
            play.type("s")
            play.happen(.answered(.sources, .sources(someSources)))
            switch self {
            case .sourcesDisabled: play.type("jjjjj")
            case .source: play.press(.enter)
            case .sourceTesting, .sourceTested: play.type("t")
            default: break
            }
            if self == .sourceTested { play.happen(.answered(.testSource("official"), .sample(someSample))) }
        case .details: play.type("p")
        case .detailsOfHeader: play.type("gp")
        case .randomLoading: play.type("z")
        case .randomRefused:
            play.type("z")
            play.happen(.answered(.random(JokeSelection()), .refused("no")))
        case .random, .randomRevealed:
            play.type("z")
            let content = JokeContent(text: .twoPart(setup: "Why?", punchline: "Because."))
            play.happen(
                .answered(
                    .random(JokeSelection()),
                    .joke(
                        Joke(id: JokeID(rawValue: "t:1"), content: content, isFavorite: false, firstSeen: noon))))
            if self == .randomRevealed { play.type(" ") }
        }
    }
}

enum Connection: CaseIterable {
    case live, connecting, unreachable
}

extension Play {
    /// True if there is nothing to leave.
    /// True also without the beginning of a pair of keys, after which another key means nothing, and without keys that wait.
    fileprivate var isOnList: Bool {
        model.page == nil && model.search == nil && !isTyping && model.pendingKeys.first == nil
            && model.waiting?.steps.isEmpty != false
    }

    fileprivate var isTyping: Bool { view(model).showsCursor }
}
