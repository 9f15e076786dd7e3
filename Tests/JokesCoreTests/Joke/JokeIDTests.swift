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
}
