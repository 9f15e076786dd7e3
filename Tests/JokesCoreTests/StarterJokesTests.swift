import JokesCore
import Testing

struct StarterJokesTests {
    private func normalized() throws -> [NormalizedJoke] {
        try StarterJokes.all.map { try StarterJokes.normalizer.normalize($0) }
    }

    @Test("there are some eighty, about two thirds of them in two parts, in eight categories")
    func isAMixture() throws {
        let jokes = try normalized()
        #expect((80...85).contains(jokes.count))
        let twoPart = jokes.count { $0.content.text.punchline != nil }
        #expect((0.6...0.75).contains(Double(twoPart) / Double(jokes.count)))
        #expect(Set(jokes.flatMap(\.content.categories)).count == 8)
    }

    @Test("no two are the same joke, nor begin alike")
    func areDifferent() throws {
        let jokes = try normalized()
        #expect(Set(jokes.map(\.fingerprint)).count == jokes.count)
        #expect(Set(jokes.map(\.id)).count == jokes.count)
        #expect(Set(jokes.map { Fingerprint.key($0.content.text.setup) }).count == jokes.count)
    }

    @Test("each has no more than 200 characters, and nothing in it that the normaliser had to clean")
    func areClean() throws {
        for (fetched, joke) in zip(StarterJokes.all, try normalized()) {
            let text = joke.content.text
            #expect(text.setup == fetched.setup && text.punchline == fetched.punchline)
            #expect(text.setup.count + (text.punchline?.count ?? 0) <= 200, "\(joke.id)")
            let parts = text.setup + (text.punchline ?? "")
            #expect(parts.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(parts)")
        }
    }

    @Test("everybody sees them: they are safe, in English, and pass the default filter")
    func passTheFilter() throws {
        for joke in try normalized() {
            #expect(joke.id.source == "starter")
            #expect(joke.content.language == "en")
            #expect(JokeFilter().admits(joke.content))
        }
    }
}
