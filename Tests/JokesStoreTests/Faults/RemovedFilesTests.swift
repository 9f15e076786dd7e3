import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// Files of the database that are removed while the store has them open.
@Suite struct RemovedFilesTests {
    /// A store with jokes and a favorite, whose database was removed. The WAL has the favorite.
    private func lostDatabase() throws -> (fixture: Fixture, store: JokeStore) {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.take(jokes(0..<50))
        try store.star("a:1")
        #expect(unlink(fixture.databasePath) == 0)
        return (fixture, store)
    }

    /// The number of calls on files of a change that writes everything to a new database.
    private func countCalls() throws -> Int {
        let (_, store) = try lostDatabase()
        var count = 0
        _ = try refusingFileCalls({ _, _ in
            count += 1
            return 0
        }) { try store.star("a:2") }
        return count
    }

    /// Makes the change while one call fails.
    private func starWhileFailing(_ number: Int, _ store: JokeStore) throws -> Bool {
        var seen = 0
        return try refusingFileCalls({ _, _ in
            seen += 1
            return seen == number ? EIO : 0
        }) {
            do {
                try store.star("a:2")
                return true
            } catch is StoreError {
                return false
            }
        }
    }

    private func check(_ fixture: Fixture, has ids: Set<String>, _ words: String) throws {
        try hold(try Set(JokeReader(of: fixture.open()).favoriteIDs()).isSuperset(of: ids), words)
        try checkDatabase(fixture.databasePath)
    }

    @Test("if any call fails while a removed database is written again, no acknowledged favorite is lost")
    func failingCalls() throws {
        let count = try countCalls()
        try hold(count > 10, "there are \(count) calls")
        for number in 1...count {
            var (fixture, store): (Fixture, JokeStore?) = try lostDatabase()
            var isAcknowledged = try starWhileFailing(number, store!)
            // The process ends here.
            store = nil
            try check(fixture, has: isAcknowledged ? ["a:1", "a:2"] : ["a:1"], "call \(number) fails at the end")

            (fixture, store) = try lostDatabase()
            isAcknowledged = try starWhileFailing(number, store!)
            // SQLite reports some failed reads as damage. The daemon then recovers, and fetches the jokes again.
            if try store?.assumeIsolated({ store in try store.recover() }) != nil { try store?.take(jokes(0..<50)) }
            try store?.star("a:3")
            store = nil
            try check(
                fixture, has: isAcknowledged ? ["a:1", "a:2", "a:3"] : ["a:1", "a:3"], "call \(number) fails once")
        }
    }
}
