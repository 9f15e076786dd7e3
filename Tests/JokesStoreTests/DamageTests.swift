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

    /// The names of the files to damage, and the seed of the random damage.
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
                let names = Self.databaseFiles.filter { _ in random.chance(1, in: 2) }
                return Damage(
                    names: names.isEmpty ? ["jokes.sqlite"] : names, hasWAL: random.chance(1, in: 2),
                    seed: random.next())
            },
            property: { damage in
                let original = try FavoriteFiles.shared(hasWAL: damage.hasWAL)
                let fixture = try original.makeFixture(damage.apply)
                let before = try fixture.contents()
                guard let store = try openUnlessRefused(fixture, before) else { return }
                guard let recovery = store.recovery else {
                    // SQLite does not detect a changed letter of a note. The journal still has the original.
                    return try original.checkAllKept(by: fixture.openWithoutDatabase())
                }
                try original.checkAllKept(by: store)
                if recovery.damagedFile.isEmpty { return }
                let after = try fixture.contents()
                let renamed = after.filter { $0.key.hasPrefix("jokes-damaged-") }
                try verify(
                    renamed.values.contains(before["jokes.sqlite"] ?? before["jokes.sqlite-wal"] ?? []),
                    "no unchanged copy: \(renamed.keys)")
                try verify(recovery.favorites == original.favorites.count && recovery.favoritesLost == 0, "\(recovery)")
                let recoveries = try JokeReader(of: store).recoveries()
                try verify(recoveries == [recovery], "the recoveries are \(recoveries), not \(recovery)")
            })
    }

    /// Opens a store; nil if the store refuses the database, because the damage made the schema version newer.
    private func openUnlessRefused(_ fixture: Fixture, _ before: [String: [UInt8]]) throws -> JokeStore? {
        do {
            return try fixture.open()
        } catch let error as StoreError where error.code == .newerSchema {
            try verify(fixture.contents()["jokes.sqlite"] == before["jokes.sqlite"], "a refused file changed")
            return nil
        }
    }

    /// Reads the favorites. If the read finds damage that the start did not find, recovers as the daemon does, and
    /// reads again.
    private func favoritesAfterRecovery(of store: JokeStore) throws -> [Favorite] {
        let reader = try JokeReader(of: store)
        do throws(StoreError) {
            return try reader.favorites()
        } catch {
            guard error.code == .corrupt else { throw error }
            let damage = reader.damage(error)
            try store.assumeIsolated { store in
                store.report(damage)
                _ = try store.recover()
            }
            return try reader.favorites()
        }
    }

    @Test(
        "after SIGKILL and damage to the journal alone, every favorite, note and hidden mark is kept in a new journal")
    func damagedJournal() throws {
        try checkProperty(
            "a damaged journal", cases: 150,
            // With a WAL, because a start after a clean exit checks only the last line.
            generate: { random, _ in Damage(names: [Self.journal], hasWAL: true, seed: random.next()) },
            property: { damage in
                let original = try FavoriteFiles.shared(hasWAL: true)
                let fixture = try original.makeFixture(damage.apply)
                try original.checkAllKept(by: fixture.open())
                try original.checkAllKept(by: fixture.openWithoutDatabase())
            })
    }

    @Test("if database and journal are damaged, favorites with an undamaged journal line are kept with their texts")
    func bothDamaged() throws {
        try checkProperty(
            "a damaged database and journal", cases: 150,
            generate: { random, _ in
                Damage(names: ["jokes.sqlite", Self.journal], hasWAL: false, seed: random.next())
            },
            property: { damage in
                let original = try FavoriteFiles.shared(hasWAL: false)
                let fixture = try original.makeFixture(damage.apply)
                let before = try fixture.contents()
                let lines = JournalContents(before[Self.journal] ?? []).entries.map(\.record.change)
                guard let store = try openUnlessRefused(fixture, before) else { return }
                let foundNoDamage = store.recovery == nil
                let kept = try favoritesAfterRecovery(of: foundNoDamage ? fixture.openWithoutDatabase() : store)
                // The fingerprint ignores case: a letter with another case is no loss.
                let texts = Set(kept.map { Fingerprint(of: $0.content.text) })
                for favorite in original.favorites {
                    let hasLine = lines.contains { change in
                        if case .favorite(let line) = change {
                            line.content.text == favorite.content.text
                        } else {
                            false
                        }
                    }
                    let isKept = texts.contains(Fingerprint(of: favorite.content.text))
                    try verify(!hasLine || isKept, "\(favorite.id) is lost")
                }
                for favorite in kept {
                    try verify(favorite.content.text.setup == cleanText(favorite.content.text.setup), "\(favorite)")
                }
                try verify(fixture.open().recovery == nil, "the second start reports a recovery, too")
            })
    }

    @Test("if the journal is missing and the database is damaged, every valid row is kept")
    func missingJournal() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { $0[Self.journal] = nil }
        do {
            let editor = try Connection(path: fixture.databasePath, access: .writing)
            try editor.execute("UPDATE favorites SET flags = 999 WHERE key = (SELECT max(key) FROM favorites)")
        }
        let store = try fixture.open()
        #expect(store.recovery?.reason.contains("cannot be read") == true)
        let reader = try JokeReader(of: store)
        #expect(try reader.favorites() == Array(original.favorites.dropFirst()))
        #expect(try reader.hiddenMarks(limit: 100) == original.hidden)
    }

    @Test("if the journal is missing, a control character in a favorite of the database is removed")
    func controlCharacter() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { $0[Self.journal] = nil }
        do {
            let editor = try Connection(path: fixture.databasePath, access: .writing)
            try editor.execute(
                "UPDATE favorites SET setup = replace(setup, ' ', char(27)) WHERE key = (SELECT max(key) FROM favorites)"
            )
        }
        let store = try fixture.open()
        #expect(store.recovery?.reason.contains("has changed") == true)
        let favorites = try JokeReader(of: store).favorites()
        #expect(favorites.map(\.id) == original.favorites.map(\.id))
        #expect(favorites.allSatisfy { $0.content.text.setup == cleanText($0.content.text.setup) })
    }

    @Test("a journal alone restores every favorite, note and hidden mark in another folder, in files of mode 0600")
    func copiedJournal() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { files in files = [Self.journal: files[Self.journal] ?? []] }
        let store = try fixture.open()
        try original.checkAllKept(by: store)
        try store.ingest(jokes(0..<200))
        #expect(try JokeReader(of: store).counts().shown == 200 - original.hidden.count)
        for name in fixture.names {
            var facts = stat()
            #expect(stat("\(fixture.path)/\(name)", &facts) == 0 && facts.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test("the journal can be imported with every favorite and hidden mark, unless a line is damaged")
    func importedJournal() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        var bytes = original.files[Self.journal] ?? []
        var favorites: [Favorite] = []
        var hidden: [HiddenMark] = []
        try ImportFile(bytes, now: Fixture.now).forEachRecord { record in
            switch record {
            case .favorite(let favorite): favorites.append(favorite)
            case .hidden(let mark): hidden.append(mark)
            case .joke(let joke): Issue.record("\(joke)")
            }
        }
        #expect(favorites == original.favorites)
        #expect(Set(hidden) == Set(original.hidden))
        let lineEnd = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        bytes[lineEnd + 20] ^= 1
        let problem = #expect(throws: ImportProblem.self) {
            try ImportFile(bytes, now: Fixture.now).forEachRecord { _ in }
        }
        #expect(problem?.line == 2 && problem?.reason.contains("checksum") == true)
    }

    @Test(
        "a favorite that is restored from the journal gets the defaults of its source, and then the rating of its joke")
    func restoredDefaults() throws {
        let fixture = try Fixture()
        let unrated = try joke("a", "1", "One small duck.", safety: .unknown)
        do {
            let store = try fixture.open()
            try store.ingest([unrated])
            try store.favorite("a:1")
        }
        unlink(fixture.databasePath)
        var rules = DisplayRules(sourceOrder: ["a"], filter: JokeFilter(safe: true))
        do {
            let store = try fixture.open(rules: rules)
            let reader = try JokeReader(of: store)
            #expect(try reader.favoriteIDs() == [])
            let report = try store.ingest([joke("a", "1", "One small duck.", safety: .safe)])
            #expect(try report.hasChangedFavorites && reader.favoriteIDs() == ["a:1"])
        }
        unlink(fixture.databasePath)
        rules.sourceDefaults["a"] = SourceDefaults(configuredSafety: .safe)
        #expect(try JokeReader(of: fixture.open(rules: rules)).favoriteIDs() == ["a:1"])
    }

    @Test("an older journal does not change the database; without a database, the older favorites are restored")
    func olderJournal() throws {
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.ingest(jokes(0..<6))
            for number in 0..<3 { try store.favorite("a:\(number)", hours: number) }
        }
        let backup = try fixture.contents()[Self.journal] ?? []
        do {
            let store = try fixture.open()
            try store.unfavorite("a:0")
            try store.favorite("a:4", hours: 4)
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

    @Test(
        "the journal of another machine replaces the favorites, and the earlier ones are kept in a file for an import")
    func foreignJournal() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.ingest(jokes(0..<3, from: "b"), from: "b")
            for number in 0..<3 { try store.favorite("b:\(number)", hours: 9) }
        }
        try fixture.write(original.files[Self.journal] ?? [], to: Self.journal)
        for start in 0..<2 {
            let store = try fixture.open()
            #expect((store.recovery == nil) == (start == 1))
            try original.checkAllKept(by: store)
        }
        let name = try #require(fixture.names.first { $0.hasPrefix("favorites-replaced-") })
        var earlier: [String] = []
        try ImportFile(contentsOfFile("\(fixture.path)/\(name)", limit: 1 << 20), now: Fixture.now).forEachRecord {
            if case .favorite(let favorite) = $0 { earlier.append(favorite.id.rawValue) }
        }
        #expect(earlier == ["b:2", "b:1", "b:0"])
    }

    @Test("a change appends one line to the journal, and a repeated change appends nothing")
    func appendedLines() throws {
        let fixture = try Fixture()
        let store = try fixture.open()
        try store.ingest(jokes(0..<3))
        func lineCount() throws -> Int {
            try contentsOfFile("\(fixture.path)/\(Self.journal)", limit: 1 << 20).count { $0 == 10 }
        }
        var expected = 0
        let changes: [() throws -> Void] = [
            { try store.favorite("a:1") }, { try store.favorite("a:1", note: "mine") },
            { try store.favorite("a:1", note: "") },
            { try store.unfavorite("a:1") },
            { _ = try store.assumeIsolated { try $0.setHidden(true, JokeID(rawValue: "a:2"), at: Fixture.now) } },
            { _ = try store.assumeIsolated { try $0.setHidden(false, JokeID(rawValue: "a:2"), at: Fixture.now) } },
        ]
        for change in changes {
            try change()
            expected += 1
            #expect(try lineCount() == expected)
            try change()
            #expect(try lineCount() == expected)
        }
    }

    @Test("a mostly obsolete journal is compacted at the next start, and its changes cannot be undone")
    func compaction() throws {
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.ingest(jokes(0..<3))
            try store.favorite("a:2")
            for _ in 0..<150 {
                try store.favorite("a:1")
                try store.unfavorite("a:1")
            }
        }
        let before = try Journal(at: "\(fixture.path)/\(Self.journal)").end
        #expect(before > 64 * 1024)
        for start in 0..<3 {
            if start == 2 { unlink(fixture.databasePath) }
            let store = try fixture.open()
            #expect(try JokeReader(of: store).favoriteIDs() == (start == 0 ? ["a:2"] : ["a:1", "a:2"]))
            #expect(try Journal(at: "\(fixture.path)/\(Self.journal)").end < 1_000)
            if start == 0 {
                let undone = try store.assumeIsolated { try $0.undo(at: Fixture.now) }
                #expect(undone.changedAt == nil, "an undo takes back a change from before the compaction")
                try store.favorite("a:1")
            }
        }
    }

    @Test("if the database is lost and a line of a compacted journal is damaged, its favorite comes from the backup")
    func backup() throws {
        let fixture = try Fixture()
        do {
            let store = try fixture.open()
            try store.ingest(jokes(0..<3))
            try store.favorite("a:2")
            for _ in 0..<151 {
                try store.favorite("a:1")
                try store.unfavorite("a:1")
            }
        }
        do {
            let store = try fixture.open()
            try store.favorite("a:0")
        }
        var journal = try fixture.contents()[Self.journal] ?? []
        #expect(JournalContents(journal).entries.count == 2)
        journal[20] ^= 1
        try fixture.write(journal, to: Self.journal)
        let store = try fixture.openWithoutDatabase()
        #expect(try JokeReader(of: store).favoriteIDs() == ["a:0", "a:2"])
        #expect(store.recovery?.reason.contains("1 damaged line in favorites.jsonl") == true)
        #expect(store.recovery?.favoritesLost == 0)
        #expect(try JournalContents(fixture.contents()[Self.journal] ?? []).damagedLines == 0)
    }

    @Test("recoveries are listed until the user has seen them")
    func repeatedRecovery() throws {
        let original = try FavoriteFiles.shared(hasWAL: false)
        let fixture = try original.makeFixture { $0["jokes.sqlite"] = [1, 2, 3] }
        let first = try #require(try fixture.open().recovery)
        var bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        bytes[47] ^= 0x55
        try fixture.write(bytes, to: "jokes.sqlite")
        let store = try fixture.open()
        let second = try #require(store.recovery)
        #expect(first.damagedFile != second.damagedFile)
        try original.checkAllKept(by: store)
        let reader = try JokeReader(of: store)
        #expect(try reader.recoveries().last == second)
        try store.assumeIsolated { try $0.dismissRecoveries(until: second.at) }
        #expect(try reader.recoveries() == [])
    }
}
