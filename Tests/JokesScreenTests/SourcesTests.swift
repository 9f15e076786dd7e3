import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing
import TextLayout

@Suite struct SourcesTests {
    private func play() throws -> Play {
        var play = Play(columns: 80, rows: 12)
        play.happen(.changed(try snapshot()))
        return play
    }

    @Test("s shows the status of the sources and its time; s closes the page")
    func opens() throws {
        var play = try play()
        let before = play.screen
        play.type("s")
        #expect(play.takeEffects() == [.send(.sources)])
        #expect(play.screen.contains("Loading sources"))
        play.happen(.sourcesAnswered(someSources))
        #expect(play.screen.contains("as of 13:00:00") && play.screen.contains("failing since yesterday 23:59"))
        play.type("s")
        #expect(play.screen == before)
        #expect(play.takeEffects() == [])
    }

    @Test("while the page is shown, new snapshots request the status again, one request at a time")
    func follows() throws {
        var play = try play()
        play.type("s")
        play.happen(.changed(try snapshot(loading: 1)), .changed(try snapshot()))
        #expect(play.takeEffects() == [.send(.sources)])
        play.happen(.sourcesAnswered(someSources))
        #expect(play.takeEffects() == [.send(.sources)])
        play.happen(.sourcesAnswered([]))
        #expect(play.takeEffects() == [])
        #expect(play.screen.contains("No sources configured."))
        play.type("r")
        #expect(play.takeEffects() == [.send(.refresh())])
        #expect(play.screen.contains("Sources"))
        play.press(.escape)
        play.happen(.changed(try snapshot()))
        #expect(play.takeEffects() == [])
    }

    @Test("a refusal is shown above the last status")
    func refused() throws {
        var play = try play()
        play.type("s")
        play.happen(.sourcesRefused("No daemon answers."))
        #expect(play.screen.contains("No daemon answers.") && !play.screen.contains("Loading sources"))
        play.happen(.sourcesAnswered(someSources))
        #expect(!play.screen.contains("No daemon answers."))
    }
}

private func source(
    _ name: String, enabled: Bool = true, syncing: Bool = false, jokes: Int = 0, shown: Int? = nil, new: Int = 0,
    refused: Int = 0, success: Int? = nil, failing: Int? = nil, failure: String? = nil, note: String? = nil,
    next: Int? = nil, requestsLeft: Int? = nil
) -> Wire.SourceHealth {
    func at(_ seconds: Int?) -> Int64? { seconds.map { noon.advanced(by: .seconds($0)).microseconds } }
    return Wire.SourceHealth(
        name: name, type: "json", enabled: enabled, syncing: syncing,
        jokes: .init(cached: jokes, shown: shown ?? jokes), new: new,
        refused: refused, lastAttempt: nil, lastSuccess: at(success), failingSince: at(failing), failure: failure,
        failures: failing == nil ? 0 : 3, note: note, nextAttempt: at(next), requestsLeft: requestsLeft)
}

/// A source in each state.
let someSources = [
    source("official", jokes: 405, new: 12, refused: 1, success: -600, next: 6 * 3600),
    source(
        "jokeapi", jokes: 1, success: -90_000, failing: -13 * 3600 - 1,
        failure: "https://jokes.example/any answers 503 Service Unavailable.", next: 120, requestsLeft: 1),
    source("dad", syncing: true, jokes: 20), source("fortunes", note: "The file /usr/share/riddles is not there."),
    source("train", jokes: 3, shown: 0, failing: -60, failure: "No route to the host."),
    source("mine", enabled: false, jokes: 9),
    source("tomorrow-and-a-name-of-32-letters", jokes: 2, success: -60, next: 12 * 3600),
]

let hostileSources = [
    source(
        "evil\u{1B}[2J", jokes: .max, new: .max, refused: .max, success: .max, failing: .min,
        failure: "a\u{1B}]52;c;aGk=\u{7}b\u{202E}c\n" + String(repeating: "W", count: 300), next: .max,
        requestsLeft: .min),
    source(String(repeating: "日", count: 80), note: String(repeating: "e\u{301}\u{316}\u{302}", count: 90)), source(""),
]
