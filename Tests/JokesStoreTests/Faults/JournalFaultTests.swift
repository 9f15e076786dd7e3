import Glibc
import JokesCore
import JokesExchange
import JokesStore
import StorageFaults
import TestSupport
import Testing
import Unix

/// Failing file operations and SIGKILL while a change is written to the journal and the database.
@Suite struct JournalFaultTests {
    @Test(
        "if file operations on the journal fail, each change is refused and absent, or acknowledged and kept",
        arguments: [EIO, ENOSPC, EINTR, FileCall.short], [1, 2, 3])
    func failingCalls(answer: Int32, failures: Int) throws {
        let mustSucceed = [EINTR, FileCall.short].contains(answer)
        for number in stride(from: isSlowTier ? 1 : failures, through: 12, by: isSlowTier ? 1 : 3) {
            let fixture = try Fixture()
            var store: JokeStore? = try fixture.open()
            try store?.ingest(jokes(0..<20))
            try store?.favorite("a:1")
            var (callCount, acknowledged) = (0, ["a:1"])
            // Each change has a shorter line than the previous change, and must truncate the rest of a failed write.
            for joke in 2..<7 {
                do {
                    _ = try refusingFileCalls(
                        { call, path in
                            let mayFail = answer != FileCall.short || call == .write
                            guard mayFail && joke < 6 && path.hasSuffix(Journal.fileName) else { return 0 }
                            callCount += 1
                            return (number..<number + failures).contains(callCount) ? answer : 0
                        },
                        during: {
                            try store?.favorite("a:\(joke)", note: String(repeating: "x", count: 70 * (6 - joke)))
                        })
                    acknowledged.insert("a:\(joke)", at: 0)
                } catch is StoreError where !mustSucceed {}
                let now = try #require(try store.map { try JokeReader(of: $0).favoriteIDs() })
                try verify(now == acknowledged, "call \(number): \(now), not \(acknowledged)")
            }
            let bytes = try fixture.contents()[Journal.fileName] ?? []
            let journal = JournalContents(bytes)
            let isExact = journal.end == bytes.count && journal.entries.count == acknowledged.count
            try verify(isExact && journal.damagedLines == 0, "call \(number): the journal is \(journal)")
            store = nil
            for open in [{ try fixture.open() }, fixture.openWithoutDatabase] as [() throws -> JokeStore] {
                try verify(JokeReader(of: open()).favoriteIDs() == acknowledged, "call \(number), after a restart")
            }
        }
    }

    @Test(
        "if a file operation on the journal fails, an acknowledged import is in the journal, and a refused import is not"
    )
    func failingImport() throws {
        let records = try jokes(0..<30).map { joke in
            ExchangeRecord.favorite(Favorite(id: joke.id, content: joke.content, favoritedAt: Fixture.now))
        }
        for number in 1...12 {
            let fixture = try Fixture()
            let store = try fixture.open()
            var (callCount, isImported) = (0, true)
            _ = try store.assumeIsolated { try $0.stage(records, ofImport: 1) }
            do {
                _ = try refusingFileCalls(
                    { call, path in
                        guard path.hasSuffix(Journal.fileName) else { return 0 }
                        callCount += 1
                        return callCount == number ? EIO : call == .write ? FileCall.short : 0
                    },
                    during: {
                        try store.assumeIsolated { try $0.finishImport(1, at: Fixture.now) }
                    })
            } catch is StoreError {
                isImported = false
            }
            let restored = try Fixture(holding: fixture.contents().filter { $0.key == Journal.fileName })
            #expect(try JokeReader(of: restored.open()).favoriteIDs().count == (isImported ? 30 : 0), "call \(number)")
        }
    }
}
