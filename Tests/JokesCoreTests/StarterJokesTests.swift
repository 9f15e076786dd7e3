import Testing

@testable import JokesCore

struct StarterJokesTests {
    private func normalized() throws -> [NormalizedJoke] {
        try StarterJokes.all.map { try Normalizer(source: StarterJokes.source).normalize($0) }
    }

    @Test("there are 80 to 85 jokes in eight categories, and about two thirds have a punchline")
    func isAMixture() throws {
        let jokes = try normalized()
        #expect((80...85).contains(jokes.count))
        let twoPart = jokes.count { $0.content.text.punchline != nil }
        #expect((0.6...0.75).contains(Double(twoPart) / Double(jokes.count)))
        #expect(Set(jokes.flatMap(\.content.categories)).count == 8)
    }

    @Test("no joke and no setup occurs twice")
    func areDifferent() throws {
        let jokes = try normalized()
        #expect(Set(jokes.map(\.fingerprint)).count == jokes.count)
        #expect(Set(jokes.map(\.id)).count == jokes.count)
        #expect(Set(jokes.map { fingerprintKey(of: $0.content.text.setup) }).count == jokes.count)
    }

    @Test("each joke is printable ASCII, has at most 200 characters, and passes the normalizer unchanged")
    func areClean() throws {
        for (fetched, joke) in zip(StarterJokes.all, try normalized()) {
            let text = joke.content.text
            #expect(text.setup == fetched.setup && text.punchline == fetched.punchline)
            #expect(text.setup.count + (text.punchline?.count ?? 0) <= 200, "\(joke.id)")
            let parts = text.setup + (text.punchline ?? "")
            #expect(parts.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(parts)")
        }
    }

    @Test("every joke is in English, rated safe, and admitted by the default filter")
    func passTheFilter() throws {
        for joke in try normalized() {
            #expect(joke.id.source == "starter")
            #expect(joke.content.language == "en")
            #expect(JokeFilter().admits(joke.content))
        }
    }
}
