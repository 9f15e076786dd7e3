import JokesCore
import Testing

@Suite("Content hash")
struct ContentHashTests {
    private let content = JokeContent(
        text: .twoPart(setup: "Why did the cache laugh?", punchline: "It remembered."), language: "en",
        categories: ["dev", "pun"], flags: .nsfw, safety: .unsafe,
        details: JokeDetails(url: "https://jokes.example/1", date: "2024"))

    @Test("is the same as in earlier versions")
    func stable() {
        #expect(contentHash(of: content) == 8_777_549_708_731_032_221)
    }

    private static let edits: [(String, @Sendable (inout JokeContent) -> Void)] = [
        ("setup", { $0.text = .twoPart(setup: "Why did the cache laugh", punchline: "It remembered.") }),
        ("punchline", { $0.text = .twoPart(setup: "Why did the cache laugh?", punchline: "It forgot.") }),
        ("kind", { $0.text = .single("Why did the cache laugh?") }),
        (
            "the position of the pause",
            { $0.text = .twoPart(setup: "Why did the cache", punchline: " laugh?It remembered.") }
        ),
        ("language", { $0.language = "en-GB" }),
        ("categories", { $0.categories = ["dev"] }),
        ("the end of a category", { $0.categories = ["devpun"] }),
        ("flags", { $0.flags = [] }),
        ("safety", { $0.safety = .unknown }),
        ("url", { $0.details.url = nil }),
        ("an author instead of a URL", { $0.details = JokeDetails(author: $0.details.url, date: $0.details.date) }),
        ("an empty author", { $0.details.author = "" }),
        ("date", { $0.details.date = "2025" }),
    ]

    @Test("changes with each visible property", arguments: edits.indices)
    func changes(index: Int) {
        var edited = content
        Self.edits[index].1(&edited)
        #expect(contentHash(of: edited) != contentHash(of: content), "\(Self.edits[index].0)")
    }
}
