import JokesCore
import TestSupport
import Testing
import TextLayout

@testable import JokesControl

/// The texts of desktop notifications. `NotificationTests` in ProgramTests shows them with a notify-send.
@Suite struct JokeNotificationTests {
    @Test(
        "a short setup is the title and the punchline is the text; other jokes have a general title",
        arguments: [
            (JokeText.twoPart(setup: "One?", punchline: "Two."), "One?", "Two."),
            (.single("One duck."), "Joke", "One duck."),
            (.twoPart(setup: "One\nand two?", punchline: "Three."), "Joke", "One\nand two?\nThree."),
            (.twoPart(setup: long(60), punchline: "a < b & c"), long(60), "a &lt; b &amp; c"),
            (.twoPart(setup: long(61), punchline: "It's."), "Joke", "\(long(61))\nIt's."),
            // A character may have two columns.
            (.twoPart(setup: String(repeating: "字", count: 31), punchline: "字"), "Joke", "\(cjk)\n字"),
            (.twoPart(setup: "<b> & co.", punchline: "\"<\u{301}b>\""), "<b> & co.", "\"&lt;\u{301}b&gt;\""),
        ])
    func texts(_ text: JokeText, _ summary: String, _ body: String) {
        let notification = JokeNotification(text)
        #expect(notification.summary == summary && notification.body == body)
    }

    private static func long(_ count: Int) -> String { String(repeating: "d", count: count) }
    private static let cjk = String(repeating: "字", count: 31)

    @Test(
        "a notification service reads back the joke, and no control character",
        .enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
    func readBack() throws {
        var random = SplitMix64(seed: testSeed)
        let count = scaled(3000)
        let texts = (0..<count).map { random.joke($0 * 60 / count).content.text }
        let notifications = texts.map { JokeNotification($0) }
        let bodies = try textInMarkup(notifications.map(\.body))
        for (text, (notification, body)) in zip(texts, zip(notifications, bodies)) {
            let read = notification.summary == "Joke" ? body : "\(notification.summary)\n\(body)"
            #expect(read == printed(text), "seed \(testSeed)")
            let all = notification.summary.unicodeScalars + notification.body.unicodeScalars
            #expect(all.allSatisfy { $0 == "\n" || !$0.isControl } && !notification.summary.contains("\n"))
        }
    }

    /// The joke as any terminal output shows it.
    private func printed(_ text: JokeText) -> String {
        text.whole.split(separator: "\n", omittingEmptySubsequences: false).map { sanitized(String($0)) }
            .joined(separator: "\n")
    }
}
