import JokesCore
import JokesProtocol
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// The words in place of jokes that are not there.
@Suite struct MissingContentTests {
    private let absence = Message.unreachable(reason: "No daemon answers.", hint: "Start jokesd.", retryAt: noon)

    @Test(
        "an unreachable daemon is described in the same words on the list and on every page",
        arguments: ["", "z", "F", "s", "U"])
    func unreachable(key: String) {
        var play = Play()
        play.type(key)
        play.happen(.connecting)
        #expect(play.screen.contains("Connecting to the daemon\u{2026}"))
        // The request of the page fails, too.
        for request in [.random(JokeSelection()), .statistics, .sources, .hidden(cursor: nil)] as [Request] {
            play.happen(.answered(request, .refused("Cannot connect: refused.")))
        }
        play.happen(absence)
        let words = play.screen.split { "\n│".contains($0) }.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            words.drop { $0 != "Daemon unreachable." }.filter { !$0.isEmpty }.prefix(3) == [
                "Daemon unreachable.", "No daemon answers.", "Start jokesd.",
            ])
        #expect(!play.screen.contains("Cannot connect") && !play.screen.contains("Loading"))
        let line = view(play.model).lines.first { $0.plainText.contains("Daemon unreachable.") }
        #expect(line?.spans.contains { $0.text.contains("Daemon") && $0.style.role == .bad } == true)
    }

    private func source(_ name: String, _ counts: JokeCounts) -> SourceHealth {
        SourceHealth(name: name, type: "fortune", enabled: true, jokes: counts)
    }

    @Test("a list that is empty because of the daemon's filter says how many jokes are excluded, and the commands")
    func excluded() throws {
        var play = Play()
        let header = JokesHeader(lastSync: noon)
        play.happen(.changed(try snapshot(jokes: [], header: header)))
        #expect(play.takeEffects() == [.send(.sources)])
        #expect(play.list.contains("No jokes to show. Press r to refresh."))
        let unrated = source("fortunes", JokeCounts(cached: 84, filteredOut: 84, unrated: 84))
        play.happen(.answered(.sources, .sources([unrated])))
        #expect(play.list.contains("0 shown of 84 cached: 84 filtered out."))
        #expect(play.list.contains("fortunes: 84 unrated, not shown; jokesctl source set fortunes --safety safe"))
        #expect(!play.list.contains("Check") && !play.list.contains("hidden"))
        let other = source("dad", JokeCounts(cached: 5, filteredOut: 3, hidden: 2))
        play.happen(.answered(.sources, .sources([unrated, other])))
        #expect(play.list.contains("0 shown of 89 cached: 87 filtered out, 2 hidden."))
        #expect(play.list.contains("Check \"filter\" in jokesd's configuration."))
        #expect(play.list.contains("U lists the hidden jokes."))
        play.happen(.answered(.sources, .sources([source("dad", JokeCounts())])))
        #expect(play.list.contains("No jokes are cached yet. Press r to refresh."))
        play.happen(.changed(try snapshot()))
        #expect(play.takeEffects() == [])
    }
}
