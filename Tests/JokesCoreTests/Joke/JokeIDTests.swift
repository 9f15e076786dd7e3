import JokesCore
import Testing

@Suite("Joke id")
struct JokeIDTests {
    @Test("names its source before the first colon")
    func source() {
        #expect(JokeID(source: "jokeapi", upstream: "en:8").rawValue == "jokeapi:en:8")
        #expect(JokeID(source: "jokeapi", upstream: "en:8").source == "jokeapi")
        #expect(JokeID(rawValue: "no colon").source == "no colon")
        #expect(JokeID(rawValue: "").source == "")
    }

    @Test("has 16 digits of the fingerprint behind a tilde where the upstream gives none")
    func fromFingerprint() throws {
        let fingerprint = try #require(Fingerprint(bytes: Array(0..<32)))
        #expect(JokeID(source: "fortunes", fingerprint: fingerprint).rawValue == "fortunes:~0001020304050607")
    }
}
