import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing
import TextLayout

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
            play.happen(.refused(request, reason: "Cannot connect: refused."))
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
}
