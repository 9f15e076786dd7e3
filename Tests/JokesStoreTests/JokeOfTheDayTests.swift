import JokesCore
import JokesStore
import Testing
import Unix

/// The saved joke of the day.
@Suite final class JokeOfTheDayTests: StoreTestCase {
    @Test("the joke of the day stays on its date while it is shown, and is the last served joke")
    func jokeOfTheDay() throws {
        try store.ingest(jokes(0..<9))
        func today(_ date: CivilDate) throws -> String? {
            try store.assumeIsolated { store in try store.jokeOfTheDay(date, at: Fixture.now)?.id.rawValue }
        }
        let date = try #require(CivilDate(year: 2026, month: 11, day: 25))
        #expect(try reader.jokeOfTheDay(date) == nil)
        let first = try #require(try today(date))
        _ = try store.served()
        #expect(try today(date) == first && reader.jokeOfTheDay(date)?.id.rawValue == first)
        #expect(try reader.lastServed()?.rawValue == first)
        let again = try store.assumeIsolated { store in
            try store.change(requestedAt: .now) { try $0.jokeOfTheDay(date, at: Fixture.now)?.id.rawValue }
        }
        #expect(again.result == first && !again.hasWritten, "a repeated call writes")
        #expect(try today(CivilDate(daysSince1970: date.daysSince1970 + 1)) != first)
        #expect(try reader.jokeOfTheDay(date) == nil)
        let second = try #require(try today(date))
        try store.hide(second)
        #expect(try reader.jokeOfTheDay(date) == nil)
        #expect(try today(date) != second && today(date) != nil)
    }
}
