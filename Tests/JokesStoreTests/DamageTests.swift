import Glibc
import JokesCore
import JokesExchange
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

/// Favorites, notes and hidden marks after damage to the database, to the journal, or to both.
@Suite struct DamageTests {
    private static let journal = Journal.fileName

    /// The names of the files to damage, and the seed of the damage.
    private struct Damage: CustomStringConvertible {
        let names: [String]
        let hasWAL: Bool
        let seed: UInt64

        func apply(to files: inout [String: [UInt8]]) {
            var random = SplitMix64(seed: seed)
            for name in names {
                guard let bytes = files[name] else { continue }
                files[name] = random.damaged(bytes)
            }
        }

        var description: String { "\(names), WAL: \(hasWAL), seed \(seed)" }
    }

    private static let databaseFiles = ["jokes.sqlite", "jokes.sqlite-wal", "jokes.sqlite-shm"]

    @Test("after damage to the database alone, every favorite, note and hidden mark is kept")
    func damagedDatabase() throws {
        try checkProperty(
            "a damaged database", cases: 150,
            generate: { random, _ in
                let some = Self.databaseFiles.filter { _ in random.chance(1, in: 2) }
                return Damage(
                    names: some.isEmpty ? ["jokes.sqlite"] : some, hasWAL: random.chance(1, in: 2), seed: random.next())
            },
            property: { damage in
                let whole = try FavoriteFiles.shared(hasWAL: damage.hasWAL)
                let fixture = try whole.fixture(damage.apply)
                let before = try fixture.contents()
                guard let store = try openUnlessRefused(fixture, before) else { return }
                guard let recovery = store.recovery else {
                    // SQLite does not notice a changed letter of a note, and the next start does not read the journal.
                    return try whole.holdAll(fixture.openWithoutDatabase())
                }
                try whole.holdAll(store)
                if recovery.damagedFile.isEmpty { return }
                let after = try fixture.contents()
                let aside = after.filter { $0.key.hasPrefix("jokes-damaged-") }
                try hold(
                    aside.values.contains(before["jokes.sqlite"] ?? before["jokes.sqlite-wal"] ?? []), "\(aside.keys)")
                try hold(recovery.favorites == whole.favorites.count && recovery.favoritesLost == 0, "\(recovery)")
                let reported = try JokeReader(of: store).recoveries()
                try hold(reported == [recovery], "it is reported as \(reported), not \(recovery)")
            })
    }

    /// Opens a store; nil if the damage makes the database one of a newer version.
    private func openUnlessRefused(_ fixture: Fixture, _ before: [String: [UInt8]]) throws -> JokeStore? {
        do {
            return try fixture.open()
        } catch let error as StoreError where error.code == .newerSchema {
            try hold(fixture.contents()["jokes.sqlite"] == before["jokes.sqlite"], "a refused file changed")
            return nil
        }
    }

    /// Reads the favorites, and recovers first if this finds damage that the start did not, as the daemon does.
    private func favoritesAfterRecovery(of store: JokeStore) throws -> [Favorite] {
        let reader = try JokeReader(of: store)
        do throws(StoreError) {
            return try reader.favorites()
        } catch {
            guard error.code == .corrupt else { throw error }
            let found = reader.damage(error)
            try store.assumeIsolated { store in
                store.report(found)
                _ = try store.recover()
            }
            return try reader.favorites()
        }
    }

    @Test("after damage to the journal alone, every favorite, note and hidden mark is kept, and it is written again")
    func damagedJournal() throws {
        try checkProperty(
            "a damaged journal", cases: 150,
            generate: { random, _ in Damage(names: [Self.journal], hasWAL: true, seed: random.next()) },
            property: { damage in
                let whole = try FavoriteFiles.shared(hasWAL: true)
                let fixture = try whole.fixture(damage.apply)
                try whole.holdAll(fixture.open())
                try whole.holdAll(fixture.openWithoutDatabase())
            })
    }

    @Test("if both are damaged, every favorite is kept whose line is whole, and no text is made up")
    func bothDamaged() throws {
        try checkProperty(
            "both are damaged", cases: 150,
            generate: { random, _ in
                Damage(names: ["jokes.sqlite", Self.journal], hasWAL: false, seed: random.next())
            },
            property: { damage in
                let whole = try FavoriteFiles.shared(hasWAL: false)
                let fixture = try whole.fixture(damage.apply)
                let before = try fixture.contents()
                let lines = JournalContents(before[Self.journal] ?? []).entries.map(\.record.change)
                guard let store = try openUnlessRefused(fixture, before) else { return }
                let isSound = store.recovery == nil
                let kept = try favoritesAfterRecovery(of: isSound ? fixture.openWithoutDatabase() : store)
                // Damage that changes the case of a letter leaves the same favorite.
                let texts = Set(kept.map { Fingerprint(of: $0.content.text) })
                for favorite in whole.favorites {
                    let isThere = lines.contains { change in
                        if case .favorite(let line) = change {
                            line.content.text == favorite.content.text
                        } else {
                            false
                        }
                    }
                    let isKept = texts.contains(Fingerprint(of: favorite.content.text))
                    try hold(!isThere || isKept, "\(favorite.id) is lost")
                }
                for favorite in kept {
                    try hold(favorite.content.text.setup == cleanText(favorite.content.text.setup), "\(favorite)")
                }
                try hold(fixture.open().recovery == nil, "the second start reports it again")
            })
    }

    @Test("if the journal is gone and the database is damaged, what SQLite can still read is kept")
    func remains() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture { $0[Self.journal] = nil }
        do {
            let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
            try vandal.execute("UPDATE favorites SET flags = 999 WHERE key = (SELECT max(key) FROM favorites)")
        }
        let store = try fixture.open()
        #expect(store.recovery?.reason.contains("cannot be read") == true)
        let reader = try JokeReader(of: store)
        #expect(try reader.favorites() == Array(whole.favorites.dropFirst()))
        #expect(try reader.hidden(limit: 100) == whole.hidden)
    }

    @Test("a control character in a favorite of the database is replaced if the journal is gone")
    func controlCharacter() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture { $0[Self.journal] = nil }
        do {
            let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
            try vandal.execute(
                "UPDATE favorites SET setup = replace(setup, ' ', char(27)) WHERE key = (SELECT max(key) FROM favorites)"
            )
        }
        let store = try fixture.open()
        #expect(store.recovery?.reason.contains("has changed") == true)
        let favorites = try JokeReader(of: store).favorites()
        #expect(favorites.map(\.id) == whole.favorites.map(\.id))
        #expect(favorites.allSatisfy { $0.content.text.setup == cleanText($0.content.text.setup) })
    }

    @Test("the journal alone brings back every favorite, note and hidden mark in another folder, for its owner alone")
    func moved() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture { files in files = [Self.journal: files[Self.journal] ?? []] }
        chmod("\(fixture.path)/\(Self.journal)", 0o600)
        let store = try fixture.open()
        try whole.holdAll(store)
        try store.take(jokes(0..<200))
        #expect(try JokeReader(of: store).counts().shown == 200 - whole.hidden.count)
        for name in fixture.names {
            var facts = stat()
            #expect(stat("\(fixture.path)/\(name)", &facts) == 0 && facts.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test("an import of the journal has every favorite and hidden mark, and is refused at a damaged line")
    func imported() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        var bytes = whole.files[Self.journal] ?? []
        var favorites: [Favorite] = []
        var hidden: [HiddenMark] = []
        try ImportFile(bytes, now: Fixture.noon).forEachRecord { record in
            switch record {
            case .favorite(let favorite): favorites.append(favorite)
            case .hidden(let mark): hidden.append(mark)
            case .joke(let joke): Issue.record("\(joke)")
            }
        }
        #expect(favorites == whole.favorites)
        #expect(Set(hidden) == Set(whole.hidden))
        let lineEnd = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        bytes[lineEnd + 20] ^= 1
        let problem = #expect(throws: ImportProblem.self) {
            try ImportFile(bytes, now: Fixture.noon).forEachRecord { _ in }
        }
        #expect(problem?.line == 2 && problem?.reason.contains("checksum") == true)
    }

    @Test("an older journal changes nothing in the database; without the database, it brings back its state")
    func restored() throws {
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.take(jokes(0..<6))
            for number in 0..<3 { try store.star("a:\(number)", hours: number) }
        }
        let backup = try fixture.contents()[Self.journal] ?? []
        do {
            let store = try fixture.open()
            try store.unstar("a:0")
            try store.star("a:4", hours: 4)
        }
        try fixture.write(backup, to: Self.journal)
        do {
            let store = try fixture.open()
            #expect(try JokeReader(of: store).favoriteIDs() == ["a:4", "a:2", "a:1"])
            let copy = try #require(store.recovery?.damagedFile)
            #expect(try contentsOfFile(copy, limit: 1 << 20) == backup)
        }
        try fixture.write(backup, to: Self.journal)
        unlink(fixture.databasePath)
        #expect(try JokeReader(of: fixture.open()).favoriteIDs() == ["a:2", "a:1", "a:0"])
    }

    @Test("the journal of another machine adds its favorites to those that are here")
    func merged() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.take(jokes(0..<3, from: "b"), from: "b")
            for number in 0..<3 { try store.star("b:\(number)", hours: 9) }
        }
        try fixture.write(whole.files[Self.journal] ?? [], to: Self.journal)
        for _ in 0..<2 {
            let store = try fixture.open()
            let expected = ["b:2", "b:1", "b:0"] + whole.favorites.map(\.id.rawValue)
            #expect(try JokeReader(of: store).favoriteIDs() == expected)
            unlink(fixture.databasePath)
        }
    }

    @Test("a change that changes nothing writes nothing to the journal, and one that does writes one line")
    func lines() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.take(jokes(0..<3))
        func count() throws -> Int {
            try contentsOfFile("\(fixture.path)/\(Self.journal)", limit: 1 << 20).count { $0 == 10 }
        }
        var expected = 0
        let changes: [() throws -> Void] = [
            { try store.star("a:1") }, { try store.star("a:1", note: "mine") }, { try store.star("a:1", note: "") },
            { try store.unstar("a:1") },
            { _ = try store.assumeIsolated { try $0.setHidden(true, JokeID(rawValue: "a:2"), at: Fixture.noon) } },
            { _ = try store.assumeIsolated { try $0.setHidden(false, JokeID(rawValue: "a:2"), at: Fixture.noon) } },
        ]
        for change in changes {
            try change()
            expected += 1
            #expect(try count() == expected)
            try change()
            #expect(try count() == expected)
        }
    }

    @Test("a journal that is mostly obsolete is written again at a clean start")
    func compacted() throws {
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.take(jokes(0..<3))
            try store.star("a:2")
            for _ in 0..<150 {
                try store.star("a:1")
                try store.unstar("a:1")
            }
        }
        let before = try Journal(at: "\(fixture.path)/\(Self.journal)").end
        #expect(before > 64 * 1024)
        for turn in 0..<3 {
            if turn == 2 { unlink(fixture.databasePath) }
            let store = try fixture.open()
            #expect(try JokeReader(of: store).favoriteIDs() == (turn == 0 ? ["a:2"] : ["a:1", "a:2"]))
            #expect(try Journal(at: "\(fixture.path)/\(Self.journal)").end < 1_000)
            if turn == 0 { try store.star("a:1") }
        }
    }

    @Test("after damage is found at run time, no change is acknowledged before the recovery")
    func whileRunning() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture()
        let store = try fixture.open()
        let found = try JokeReader(of: store).damage(StoreError(.corrupt, attempt: "read", reason: "a page is damaged"))
        try store.assumeIsolated { store in
            store.report(found)
            let refused = #expect(throws: StoreError.self) { try store.unfavorite(whole.favorites[0].id) }
            #expect(refused?.code == .corrupt)
            let recoveries = [try store.recover(), try store.recover()]
            #expect(recoveries.map { $0?.favorites } == [whole.favorites.count, nil])
        }
        try whole.holdAll(store)
    }

    @Test("recoveries are reported until the user has seen them")
    func twice() throws {
        let whole = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try whole.fixture { $0["jokes.sqlite"] = [1, 2, 3] }
        let first = try #require(try fixture.open().recovery)
        var bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        bytes[47] ^= 0x55
        try fixture.write(bytes, to: "jokes.sqlite")
        let store = try fixture.open()
        let second = try #require(store.recovery)
        #expect(first.damagedFile != second.damagedFile)
        try whole.holdAll(store)
        let reader = try JokeReader(of: store)
        #expect(try reader.recoveries().last == second)
        try store.assumeIsolated { try $0.dismissRecoveries(until: second.at) }
        #expect(try reader.recoveries() == [])
    }
}
