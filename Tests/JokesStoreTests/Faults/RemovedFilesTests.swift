import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// Files of the database that are removed while the store has them open.
@Suite struct RemovedFilesTests {
    /// Returns a store with jokes and a favorite, after the removal of its database file. The favorite is in the WAL.
    private func makeStoreWithRemovedDatabase() throws -> (fixture: Fixture, store: JokeStore) {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.ingest(jokes(0..<50))
        try store.favorite("a:1")
        #expect(unlink(fixture.databasePath) == 0)
        return (fixture, store)
    }

    /// Returns the number of file operations during a change that copies everything to a new database.
    private func countCalls() throws -> Int {
        let (_, store) = try makeStoreWithRemovedDatabase()
        var count = 0
        _ = try refusingFileCalls({ _, _ in
            count += 1
            return 0
        }) { try store.favorite("a:2") }
        return count
    }

    /// Makes the change while one file operation fails. Returns true if the change is acknowledged.
    private func favoriteWhileFailing(_ number: Int, _ store: JokeStore) throws -> Bool {
        var callCount = 0
        return try refusingFileCalls({ _, _ in
            callCount += 1
            return callCount == number ? EIO : 0
        }) {
            do {
                try store.favorite("a:2")
                return true
            } catch is StoreError {
                return false
            }
        }
    }

    private func check(_ fixture: Fixture, has ids: Set<String>, _ message: String) throws {
        try verify(try Set(JokeReader(of: fixture.open()).favoriteIDs()).isSuperset(of: ids), message)
        try checkDatabase(fixture.databasePath)
    }

    @Test("if a file operation fails while a removed database is rewritten, no acknowledged favorite is lost")
    func failingCalls() throws {
        let count = try countCalls()
        try verify(count > 10, "there are only \(count) calls")
        for number in 1...count {
            var (fixture, store): (Fixture, JokeStore?) = try makeStoreWithRemovedDatabase()
            var isAcknowledged = try favoriteWhileFailing(number, store!)
            // Releases the store, as the end of the process does.
            store = nil
            try check(
                fixture, has: isAcknowledged ? ["a:1", "a:2"] : ["a:1"], "call \(number) fails before the process ends")

            (fixture, store) = try makeStoreWithRemovedDatabase()
            isAcknowledged = try favoriteWhileFailing(number, store!)
            // SQLite reports some failed reads as damage. The daemon then recovers, and fetches the jokes again.
            if try store?.assumeIsolated({ store in try store.recover() }) != nil { try store?.ingest(jokes(0..<50)) }
            try store?.favorite("a:3")
            store = nil
            try check(
                fixture, has: isAcknowledged ? ["a:1", "a:2", "a:3"] : ["a:1", "a:3"], "call \(number) fails once")
        }
    }
}
