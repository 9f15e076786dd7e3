import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing
import Unix

/// Failing calls and kills while a change is on its way to the journal and the database.
@Suite struct JournalFaultTests {
    @Test(
        "whichever call on a file fails under a change, the change is refused and gone, or there after a restart",
        arguments: [EIO, ENOSPC])
    func failingCalls(code: Int32) throws {
        for number in 1...40 {
            let fixture = try Fixture()
            var store: JokeStore? = try fixture.open()
            try store?.take(jokes(0..<20))
            try store?.star("a:1")
            var (seen, acknowledged) = (0, ["a:1"])
            for joke in 2..<6 {
                do {
                    _ = try refusingFileCalls(
                        { _, path in
                            seen += 1
                            return seen == number && path.hasSuffix(Journal.fileName) ? code : 0
                        }, during: { try store?.star("a:\(joke)") })
                    acknowledged.append("a:\(joke)")
                } catch is StoreError {}
                let now = try #require(try store.map { try JokeReader(of: $0).favoriteIDs() })
                try hold(now == acknowledged.reversed(), "call \(number): it shows \(now) of \(acknowledged)")
            }
            store = nil
            try hold(try JokeReader(of: fixture.open()).favoriteIDs() == acknowledged.reversed(), "call \(number)")
        }
    }

    @Test("an import of which a call fails is there whole or not at all, also after a restart without the database")
    func failingImport() throws {
        let some = try jokes(0..<30).map { joke in
            Keepsake.favorite(Favorite(id: joke.id, content: joke.content, favoritedAt: Fixture.noon))
        }
        for number in 1...12 {
            let fixture = try Fixture()
            let store = try fixture.open()
            var (seen, isThere) = (0, true)
            _ = try store.assumeIsolated { try $0.layAside(some, ofImport: 1) }
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
            unlink(fixture.databasePath)
            let other = try Fixture()
            try other.write(contentsOfFile("\(fixture.path)/\(Journal.fileName)", limit: 1 << 20), to: Journal.fileName)
            #expect(try JokeReader(of: other.open()).favoriteIDs().count == (isThere ? 30 : 0), "call \(number)")
        }
    }

    @Test("after SIGKILL at any call on a file, every acknowledged favorite is there, and at most one more")
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

/// Stars jokes, notes each star that was acknowledged in a file, and dies at the call with the number.
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
