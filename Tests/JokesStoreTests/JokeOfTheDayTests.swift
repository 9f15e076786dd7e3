import JokesCore
import JokesStore
import Testing

/// The saved joke of the day.
@Suite final class JokeOfTheDayTests: StoreTestCase {
    @Test("the joke of the day is returned only on its date, and only if it is shown")
    func jokeOfTheDay() throws {
        try store.ingest(jokes(0..<3))
        let date = try #require(CivilDate(year: 2026, month: 11, day: 25))
        #expect(try reader.jokeOfTheDay(date) == nil)
        try store.assumeIsolated { store in try store.setJokeOfTheDay(JokeID(rawValue: "a:1"), on: date) }
        #expect(try reader.jokeOfTheDay(date)?.id.rawValue == "a:1" && reader.lastServed()?.rawValue == "a:1")
        #expect(try reader.jokeOfTheDay(CivilDate(daysSince1970: date.daysSince1970 + 1)) == nil)
        try store.hide("a:1")
        #expect(try reader.jokeOfTheDay(date) == nil)
    }
}
