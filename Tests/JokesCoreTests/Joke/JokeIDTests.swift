import JokesCore
import Testing

@Suite("Joke ID")
struct JokeIDTests {
    @Test("has its source before the first colon")
    func source() {
        #expect(JokeID(source: "jokeapi", upstream: "en:8").rawValue == "jokeapi:en:8")
        #expect(JokeID(source: "jokeapi", upstream: "en:8").source == "jokeapi")
        #expect(JokeID(rawValue: "no colon").source == "no colon")
        #expect(JokeID(rawValue: "").source == "")
    }

    @Test("has a tilde and 16 digits of the fingerprint if the upstream has no ID")
    func fromFingerprint() throws {
        let fingerprint = try #require(Fingerprint(bytes: Array(0..<32)))
        #expect(JokeID(source: "fortunes", fingerprint: fingerprint).rawValue == "fortunes:~0001020304050607")
    }
}
