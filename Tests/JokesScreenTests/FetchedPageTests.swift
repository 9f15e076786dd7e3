import JokesCore
import JokesProtocol
import Terminal
import Testing

@testable import JokesScreen

/// The pages of the sources, the filters and the hidden jokes, which show answers of the daemon.
@Suite struct FetchedPageTests {
    struct FetchedPage: Sendable {
        let key: String
        let request: Request
        let answer: Answer
        /// The text before the answer.
        let loading: String
        /// Texts of the answer.
        let words: [String]
    }

    private static let pages = [
        FetchedPage(
            key: "s", request: .sources, answer: .sources(someSources), loading: "Loading sources",
            words: ["as of 13:00:00", "503 Service Unavailable"]),
        FetchedPage(
            key: "F", request: .statistics, answer: .statistics(someCounts), loading: "Counting the jokes",
            words: [
                "● all jokes", "Sources", "Categories", "Languages", "official", "Programming", "405", "32", "unknown",
            ]),
        FetchedPage(
            key: "U", request: .hidden(cursor: nil),
            answer: .hidden(
                HiddenMethod.Reply(
                    hidden: (0..<3).map { hiddenJoke("t:\($0)", "Hidden number \($0).") }, total: 3, notCached: 2,
                    next: nil)),
            loading: "Loading the hidden jokes",
            words: ["─ Hidden 1/3 ", "2 more: not cached", "Hidden number 2.", "13:00"]),
    ]

    private func play() throws -> Play {
        try Play(showing: snapshot())
    }

    @Test("a page requests what it shows, and its key closes it", arguments: pages)
    func opens(page: FetchedPage) throws {
        var play = try play()
        let before = play.screen
        play.type(page.key)
        #expect(play.takeEffects() == [.send(page.request)] && play.screen.contains(page.loading))
        play.happen(.answered(page.request, page.answer))
        #expect(!play.screen.contains(page.loading))
        for words in page.words { #expect(play.screen.contains(words), "\(words)\n\(play.screen)") }
        play.type(page.key)
        #expect(play.screen == before && play.takeEffects() == [])
    }

    @Test(
        "an open page requests again after each snapshot, one request at a time, and shows refusals", arguments: pages)
    func follows(page: FetchedPage) throws {
        var play = try play()
        play.type(page.key)
        play.happen(.changed(try snapshot(loading: 1)), .changed(try snapshot()))
        #expect(play.takeEffects() == [.send(page.request)])
        play.happen(.answered(page.request, page.answer))
        #expect(play.takeEffects() == [.send(page.request)])
        play.happen(.answered(page.request, .refused("The daemon is busy.")))
        #expect(play.screen.contains("The daemon is busy.") && play.screen.contains(page.words.last ?? ""))
        play.happen(.changed(try snapshot()), .answered(page.request, page.answer))
        #expect(!play.screen.contains("busy") && play.takeEffects() == [.send(page.request)])
        play.type("q")
        play.happen(.changed(try snapshot()))
        #expect(play.takeEffects() == [])
    }
}
