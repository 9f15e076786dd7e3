import Glibc
import JokesCore
import JokesExchange
import JokesStore
import StorageFaults
import TestSupport
import Testing
import Unix

/// Failing calls and kills while a change is on its way to the journal and the database.
@Suite struct JournalFaultTests {
    @Test(
        "if calls on the journal fail, each change is refused and gone, or acknowledged and kept, also after a restart",
        arguments: [EIO, ENOSPC, EINTR, FileCall.short], [1, 2, 3])
    func failingCalls(answer: Int32, failures: Int) throws {
        let mustSucceed = [EINTR, FileCall.short].contains(answer)
        for number in 1...12 {
            let fixture = try Fixture()
            var store: JokeStore? = try fixture.open()
            try store?.take(jokes(0..<20))
            try store?.star("a:1")
            var (seen, acknowledged) = (0, ["a:1"])
            // The last change has the shortest line: it must truncate what an earlier one left.
            for joke in 2..<7 {
                do {
                    _ = try refusingFileCalls(
                        { call, path in
                            let mayFail = answer != FileCall.short || call == .write
                            guard mayFail && joke < 6 && path.hasSuffix(Journal.fileName) else { return 0 }
                            seen += 1
                            return (number..<number + failures).contains(seen) ? answer : 0
                        },
                        during: { try store?.star("a:\(joke)", note: String(repeating: "x", count: 70 * (6 - joke))) })
                    acknowledged.insert("a:\(joke)", at: 0)
                } catch is StoreError where !mustSucceed {}
                let now = try #require(try store.map { try JokeReader(of: $0).favoriteIDs() })
                try hold(now == acknowledged, "call \(number): \(now), not \(acknowledged)")
            }
            let bytes = try fixture.contents()[Journal.fileName] ?? []
            let journal = JournalContents(bytes)
            let isExact = journal.end == bytes.count && journal.entries.count == acknowledged.count
            try hold(isExact && journal.damagedLines == 0, "call \(number): the journal is \(journal)")
            store = nil
            for open in [{ try fixture.open() }, fixture.openWithoutDatabase] as [() throws -> JokeStore] {
                try hold(JokeReader(of: open()).favoriteIDs() == acknowledged, "call \(number), after a restart")
            }
        }
    }

    @Test("if a call fails during an import, the import is complete or absent, also without the database")
    func failingImport() throws {
        let some = try jokes(0..<30).map { joke in
            ExchangeRecord.favorite(Favorite(id: joke.id, content: joke.content, favoritedAt: Fixture.noon))
        }
        for number in 1...12 {
            let fixture = try Fixture()
            let store = try fixture.open()
            var (seen, isThere) = (0, true)
            _ = try store.assumeIsolated { try $0.stage(some, ofImport: 1) }
            do {
                _ = try refusingFileCalls(
                    { call, path in
                        guard path.hasSuffix(Journal.fileName) else { return 0 }
                        seen += 1
                        return seen == number ? EIO : call == .write ? FileCall.short : 0
                    }, during: { try store.assumeIsolated { try $0.finishImport(1, of: 30, at: Fixture.noon) } })
            } catch is StoreError {
                isThere = false
            }
            let other = try Fixture(holding: fixture.contents().filter { $0.key == Journal.fileName })
            #expect(try JokeReader(of: other.open()).favoriteIDs().count == (isThere ? 30 : 0), "call \(number)")
        }
    }

    @Test("after SIGKILL at any call on a file, every acknowledged favorite is kept, and at most one more")
    func killed() async throws {
        for number in stride(from: 1, through: 60, by: testScale >= 100 ? 1 : 7) {
            let fixture = try Fixture()
            do {
                let store = try fixture.open()
                try store.take(jokes(0..<20))
            }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = fixture.path as String, number = number as Int] in
                try starUntilKilled(path, atCall: number)
            }
            let acknowledged = try contentsOfFile("\(fixture.path)/acknowledged", limit: 100).count
            let ids = try JokeReader(of: fixture.open()).favoriteIDs()
            let expected = (0..<20).map { "a:\($0)" }
            let isRight = [acknowledged, acknowledged + 1].contains { ids.reversed() == Array(expected.prefix($0)) }
            #expect(isRight, "call \(number): \(acknowledged) were acknowledged, and there are \(ids)")
        }
    }
}

/// Adds favorites, writes each acknowledged one to a file, and dies at the call with the number.
private func starUntilKilled(_ path: String, atCall number: Int) throws {
    let fixture = try Fixture(path: path)
    let store = try fixture.open()
    let file = open("\(path)/acknowledged", O_WRONLY | O_CREAT, 0o600)
    var seen = 0
    try refusingFileCalls({ _, _ in
        seen += 1
        if seen == number { kill(getpid(), SIGKILL) }
        return 0
    }) {
        for joke in 0..<20 {
            try store.star("a:\(joke)")
            _ = write(file, ".", 1)
        }
    }
    kill(getpid(), SIGKILL)
}
