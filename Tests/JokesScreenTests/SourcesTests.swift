import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct SourcesTests {
    private func playWithSources(columns: Int = 80, rows: Int = 24) throws -> Play {
        var play = try Play(columns: columns, rows: rows, showing: snapshot())
        play.openSources()
        _ = play.takeEffects()
        return play
    }

    @Test("r and R refresh the selected source; a disabled source gets a notice")
    func refreshes() throws {
        var play = try playWithSources()
        play.type("rjR")
        #expect(
            play.takeEffects() == [.send(.refresh(sources: ["official"])), .send(.refresh(sources: ["jokeapi"]))])
        play.type("jjjjr")
        #expect(play.takeEffects() == [] && play.screen.hasSuffix("mine is disabled; E enables it"))
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("r")
        #expect(play.takeEffects() == [.send(.reconnect)])
    }

    @Test("E runs jokesctl for the selected source, one change at a time, and its output becomes a notice")
    func toggles() throws {
        var play = try playWithSources()
        play.type("EE")
        #expect(play.takeEffects() == [.runJokesctl(["source", "disable", "--", "official"])])
        #expect(play.screen.hasSuffix("The last change is not finished yet"))
        play.happen(.jokesctlAnswered("Source 'official' disabled in /etc/x.json.\n", hasFailed: false))
        #expect(play.screen.hasSuffix(" Source 'official' disabled in /etc/x.json."))
        #expect(play.takeEffects() == [.send(.sources)])
        play.type("jjjjjE")
        #expect(play.takeEffects() == [.runJokesctl(["source", "enable", "--", "mine"])])
        play.happen(.jokesctlAnswered("jokesctl: permission denied\nTry: sudo \u{1B}[2Jjokesctl\n", hasFailed: true))
        #expect(play.screen.contains(" jokesctl: permission denied\n Try: sudo \u{FFFD}[2Jjokesctl"))
        #expect(play.model.notice?.role == .bad)
        play.type("E")
        play.happen(.jokesctlAnswered("", hasFailed: true))
        #expect(play.screen.hasSuffix(" jokesctl failed"))
    }

    @Test("a source that is not configured cannot be changed, refreshed or tested, and a notice says why")
    func unconfigured() throws {
        var play = try playWithSources()
        let names = SourceHealth.UnconfiguredType.allCases.map(\.rawValue)
        play.happen(.answered(.sources, .sources(names.map { source("starter", type: $0) })))
        for _ in names {
            for (key, word) in [("E", "disabled"), ("r", "refreshed"), ("t", "tested")] {
                play.type(key)
                #expect(play.screen.hasSuffix(" starter is not configured and cannot be \(word)"))
            }
            play.type("j")
        }
        #expect(play.takeEffects() == [])
    }

    @Test("enter, space, l and a double click open the selected source in full; h and q return to it")
    func opensSource() throws {
        func doubleClick(_ play: inout Play) {
            let line = play.list.split(separator: "\n").firstIndex { $0.contains("https://jokes.example") } ?? 0
            for _ in 0..<2 { play.happen(.mouse(MouseEvent(.click, play.position(3, line)))) }
        }
        let opening: [(inout Play) -> Void] = [
            { $0.press(.enter) }, { $0.type(" ") }, { $0.type("l") }, doubleClick,
        ]
        for (number, open) in opening.enumerated() {
            var play = try playWithSources()
            play.type("j")
            let before = play.screen
            open(&play)
            #expect(play.model.page?.kind == .source("jokeapi"))
            for words in ["Source jokeapi", "answers 503 Service Unavailable", "3 since", "1 request left"] {
                #expect(play.screen.contains(words), "\(words)\n\(play.screen)")
            }
            play.type(["h", "q"][number % 2])
            #expect(play.screen == before)
        }
    }

    @Test("t shows the jokes of a test, or its error, on the page of the source")
    func tests() throws {
        var play = try playWithSources()
        play.type("tt")
        #expect(play.takeEffects() == [.send(.testSource("official"))])
        #expect(play.screen.contains("Fetching jokes") && play.screen.hasSuffix("Still testing official"))
        play.happen(.answered(.testSource("official"), .sample(someSample)))
        let report = "20 jokes read, 1 item refused, 16 shown with the filter in use"
        for words in [report, "Why?", "— Because.", "A note."] {
            #expect(play.screen.contains(words), "\(words)\n\(play.screen)")
        }
        play.type("t")
        play.happen(
            .answered(.testSource("official"), .refused("Cannot read the source: too soon.\nTry again in 9 s.")))
        #expect(play.screen.contains("Cannot read the source: too soon.") && play.screen.contains("Try again in 9 s."))
        // The test belongs to its source.
        play.type("qj")
        play.press(.enter)
        #expect(!play.screen.contains("Cannot read"))
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("t")
        #expect(play.screen.contains("Not tested: not connected"))
    }

    @Test("the selection stays on its source when the list of sources changes")
    func keepsSelection() throws {
        var play = try playWithSources()
        play.type("jj")
        play.happen(.answered(.sources, .sources(Array(someSources.dropFirst()))))
        play.type("R")
        #expect(play.takeEffects() == [.send(.refresh(sources: ["dad"]))])
        play.happen(.answered(.sources, .sources([])))
        play.type("E")
        #expect(play.takeEffects() == [] && play.screen.hasSuffix(" No source selected"))
    }
}

private func source(
    _ name: String, type: String = "json", enabled: Bool = true, syncing: Bool = false, jokes: Int = 0,
    shown: Int? = nil, new: Int = 0, refused: Int = 0, success: Int? = nil, failing: Int? = nil, failure: String? = nil,
    note: String? = nil,
    next: Int? = nil, requestsLeft: Int? = nil
) -> SourceHealth {
    func at(_ seconds: Int?) -> Timestamp? { seconds.map { noon.advanced(by: .seconds($0)) } }
    var source = SourceHealth(
        name: name, type: type, enabled: enabled, jokes: .init(cached: jokes, shown: shown ?? jokes))
    (source.syncing, source.new, source.refused, source.note) = (syncing, new, refused, note)
    (source.lastSuccess, source.failingSince, source.nextAttempt) = (at(success), at(failing), at(next))
    (source.failure, source.failures, source.requestsLeft) = (failure, failing == nil ? 0 : 3, requestsLeft)
    return source
}

/// A source in each state.
let someSources = [
    source("official", jokes: 405, new: 12, refused: 1, success: -600, next: 6 * 3600),
    source(
        "jokeapi", jokes: 1, success: -90_000, failing: -13 * 3600 - 1,
        failure: "https://jokes.example/any answers 503 Service Unavailable.", next: 120, requestsLeft: 1),
    source("dad", syncing: true, jokes: 20), source("fortunes", note: "The file /usr/share/riddles is not there."),
    source("train", jokes: 3, shown: 0, failing: -60, failure: "No route to the host.", next: 840),
    source("mine", enabled: false, jokes: 9),
    source("tomorrow-and-a-name-of-32-letters", jokes: 2, success: -60, next: 12 * 3600),
]

/// The answer to a test.
let someSample = {
    var sample = SourceSample()
    sample.jokes = [JokeText.twoPart(setup: "Why?", punchline: "Because."), .single("One.")].map { text in
        let id = JokeID(rawValue: "official:\(text.setup.count)")
        return Joke(id: id, content: JokeContent(text: text), isFavorite: false, firstSeen: noon)
    }
    (sample.read, sample.refused, sample.unrated, sample.shown) = (20, 1, 3, 16)
    sample.notes = ["A note."]
    return sample
}()

let hostileSources = [
    source(
        "evil\u{1B}[2J", jokes: .max, new: .max, refused: .max, success: .max, failing: .min,
        failure: "a\u{1B}]52;c;aGk=\u{7}b\u{202E}c\n" + String(repeating: "W", count: 300), next: .max,
        requestsLeft: .min),
    source(String(repeating: "日", count: 80), note: String(repeating: "e\u{301}\u{316}\u{302}", count: 90)), source(""),
]
