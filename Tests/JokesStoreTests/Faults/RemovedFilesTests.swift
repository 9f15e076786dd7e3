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

    /// Makes a change, which is refused because the database was removed, and then a new database.
    private func replaceDatabase(_ store: JokeStore) throws {
        #expect(throws: StoreError.self) { try store.favorite("a:2") }
        #expect(try store.assumeIsolated { store in try store.recover() } != nil)
    }

    private func countCalls() throws -> Int {
        let (_, store) = try makeStoreWithRemovedDatabase()
        var count = 0
        try refusingFileCalls({ _, _ in
            count += 1
            return 0
        }) { try replaceDatabase(store) }
        return count
    }

    private func replaceDatabaseWhileFailing(_ number: Int, _ store: JokeStore) throws {
        var callCount = 0
        refusingFileCalls({ _, _ in
            callCount += 1
            return callCount == number ? EIO : 0
        }) {
            for _ in 0..<2 { _ = try? store.favorite("a:2") }
            _ = try? store.assumeIsolated { store in try store.recover() }
        }
    }

    private func check(_ fixture: Fixture, has ids: Set<String>, _ message: String) throws {
        try verify(try Set(JokeReader(of: fixture.open()).favoriteIDs()).isSuperset(of: ids), message)
        try checkDatabase(fixture.databasePath)
    }

    @Test("if a file operation fails while a removed database is replaced, no favorite is lost")
    func failingCalls() throws {
        let count = try countCalls()
        try verify(count > 10, "there are only \(count) calls")
        for number in 1...count {
            var (fixture, store): (Fixture, JokeStore?) = try makeStoreWithRemovedDatabase()
            try replaceDatabaseWhileFailing(number, store!)
            // Releases the store, as the end of the process does.
            store = nil
            try check(fixture, has: ["a:1"], "call \(number) fails before the process ends")

            (fixture, store) = try makeStoreWithRemovedDatabase()
            try replaceDatabaseWhileFailing(number, store!)
            _ = try store?.assumeIsolated { store in try store.recover() }
            try store?.ingest(jokes(0..<50))
            try store?.favorite("a:3")
            store = nil
            try check(fixture, has: ["a:1", "a:3"], "call \(number) fails once")
        }
    }
}
