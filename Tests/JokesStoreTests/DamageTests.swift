import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

// The laws of recovery:
// 1. A favorite that was acknowledged, and whose page was not touched, is there after the next opening.
// 2. A damaged file is never removed, overwritten or written to: its bytes are found under another name.
// 3. Whatever was damaged, the next opening works, and the one after that finds nothing to be done.
// 4. What was salvaged is clean text within bounds, whatever stood in the file.
@Suite struct DamageTests {
    @Test("whatever becomes of the files, a store opens with every favorite whose page was not touched")
    func anyDamage() throws {
        let whole = try WholeDatabase.shared()
        try checkLaw(
            "favorites survive damage", cases: 60,
            generate: { random, _ in Damage.any(of: whole, &random) }, law: { try whole.holdLaws(after: $0) })
    }

    @Test("what only a last transaction with a hole in it still has of earlier favorites comes back")
    func boundary() throws {
        try checkHoles { boundary, random in
            // The page in front of it, and the header of the frame behind.
            .garbage(boundary - random.int(in: 1..<4_000)..<boundary + random.int(in: 24..<4_000))
        }
    }

    @Test("a lost block that takes the end of the last transaction but one costs none of their stars")
    func lostEnd() throws {
        try checkHoles { boundary, random in
            let start = boundary - random.int(in: 4_120..<8_200)
            return .zero(start..<start + 4_096)
        }
    }

    /// Holds the laws for holes about where the log's last transaction begins.
    private func checkHoles(_ hole: @escaping (_ boundary: Int, inout SplitMix64) -> Damage.Action) throws {
        let whole = try WholeDatabase.shared()
        let boundary = whole.lastTransaction
        try checkLaw(
            "favorites survive a hole at the last boundary", cases: 20,
            generate: { random, _ in Damage(edits: [.init(.log, hole(boundary, &random))]) },
            law: { try whole.holdLaws(after: $0) })
    }

    @Test(
        "each kind of damage is told, and everything that is readable is salvaged",
        arguments: [
            (Damage(edits: [.init(.main, .truncate(0))]), "the file is empty"),
            (Damage(edits: [.init(.main, .garbage(0..<4096))]), "file is not a database"),
            (Damage(edits: [.init(.main, .truncate(20_000))]), "malformed"),
            (Damage(edits: [.init(.main, .flip(47))]), "unsupported file format"),
            (Damage(edits: [.init(.main, .flip(18))]), "unknown file format"),
            (Damage(edits: [.init(.main, .remove)]), "its WAL exists, but the database does not"),
        ])
    func kinds(damage: Damage, words: String) throws {
        let whole = try WholeDatabase.shared(hasLog: words.contains("WAL"))
        let fixture = try whole.files(after: damage)
        let store = try fixture.open(rules: whole.rules)
        let recovery = try #require(store.recovery)
        #expect(recovery.reason.contains(words), "\(recovery.reason)")
        #expect(try JokeReader(of: store).recoveries() == [recovery])
        #expect(recovery.favorites == (try JokeReader(of: store).favoriteIDs().count))
        #expect(access(recovery.damagedFile, F_OK) == 0)
    }

    @Test(
        "a favorite that could not be read or found any more is damage, and its text comes back",
        arguments: ["safety = 'sage'", "flags = 999", "admitted = 5"])
    func unreadableFavorite(change: String) throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: []))
        do {
            let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
            try vandal.execute("UPDATE favorites SET \(change) WHERE key = (SELECT max(key) FROM favorites)")
        }
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery?.reason.contains("cannot be read") == true)
        #expect(store.recovery?.favoritesLost == 0)
        #expect(try JokeReader(of: store).favorites().map(\.content.text) == whole.favorites.map(\.content.text))
    }

    @Test(
        "a version that is none, or not that of the tables, is damage: favorites are kept",
        arguments: [-1, 0, 2, 5])
    func wrongVersion(version: Int) throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: []))
        do {
            let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
            try vandal.execute("PRAGMA user_version = \(version)")
        }
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery?.reason.contains("schema \(version)") == true)
        #expect(try JokeReader(of: store).favorites() == whole.favorites)
    }

    @Test(
        "a hidden mark of a clock that was never set is kept, and taken for no favorite",
        arguments: [3_600_000_000, 5_000_000, 20_000])
    func earlyMark(time: Int) throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: []))
        do {
            let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
            try vandal.execute("UPDATE hidden SET hidden_at = \(time); PRAGMA user_version = -1")
        }
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery?.favoritesLost == 0)
        let fresh = try Connection(path: fixture.databasePath, .init(access: .reading))
        #expect(try fresh.prepare("SELECT count(*) FROM hidden").map { row in try row.read(0) } == [whole.hidden])
    }

    @Test("of a database without its first page all favorites, notes, hidden marks and tellings come back as they were")
    func headless() throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: [.init(.main, .garbage(0..<4096))]))
        let store = try fixture.open(rules: whole.rules)
        let reader = try JokeReader(of: store)
        #expect(try reader.favorites() == whole.favorites)
        #expect(store.recovery?.favoritesLost == 0)
        let fresh = try Connection(path: fixture.databasePath, .init(access: .reading))
        #expect(
            try fresh.prepare("SELECT count(*) FROM hidden").map { row in try row.read(0) } == [whole.hidden])
        #expect(
            try fresh.prepare("SELECT sum(told) FROM groups").map { row in try row.read(0) } == [whole.told])
        #expect(try fresh.prepare("SELECT count(*) FROM sources WHERE etag IS NOT NULL").map { try $0.read(0) } == [0])
        // The jokes come again, as they were: hidden ones are not shown, and those told count as told.
        try store.take(whole.jokes)
        #expect(try reader.counts().shown == whole.jokes.count - whole.hidden)
        let untold = Set(whole.jokes.map(\.id)).subtracting(whole.toldIDs)
        #expect(try (0..<20).allSatisfy { _ in try reader.random().map { untold.contains($0.id) } ?? false })
    }

    @Test("favorites that only a page in the middle had are counted as lost, and no others")
    func pageInTheMiddle() throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let page = try #require(whole.favoritePages.dropFirst(2).first)
        let start = (page.number - 1) * 4096
        let fixture = try whole.files(after: Damage(edits: [.init(.main, .zero(start..<start + 4096))]))
        let recovery = try #require(try fixture.open(rules: whole.rules).recovery)
        #expect(recovery.favoritesLost == page.favorites.count)
        #expect(recovery.favorites == whole.favorites.count - page.favorites.count)
    }

    @Test("a page of the log that went bad before favorites that were acknowledged: they are there")
    func tornLog() throws {
        let whole = try WholeDatabase.shared()
        // The first frame's content.
        let fixture = try whole.files(after: Damage(edits: [.init(.log, .flip(100))]))
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery?.reason.contains("WAL") == true)
        let kept = Set(try JokeReader(of: store).favoriteIDs())
        #expect(whole.untouched(by: Damage(edits: [.init(.log, .flip(100))])).isSubset(of: kept))
    }

    @Test("a log cut off in its last frame, as a crash leaves it, is no damage")
    func unfinishedLog() throws {
        let whole = try WholeDatabase.shared()
        let fixture = try whole.files(after: Damage(edits: [.init(.log, .truncate(whole.log.count - 2000))]))
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery == nil)
        #expect(try JokeReader(of: store).favoriteIDs().count >= whole.favorites.count - 1)
    }

    @Test("text from a damaged file is clean, bounded and not believed")
    func hostileText() throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: []))
        do {
            let connection = try Connection(path: fixture.databasePath, .init(access: .writing))
            try connection.execute(
                """
                UPDATE favorites SET setup = char(27) || ']52;c;AAAA' || char(7) || setup || char(8238),
                    id = 'a b' || char(10) || key, favorited_at = 9223372036854775807, note = char(155) || '2J'
                """)
        }
        var bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        bytes.replaceSubrange(0..<16, with: repeatElement(0, count: 16))
        try fixture.replace("jokes.sqlite", with: bytes)
        let favorites = try JokeReader(of: fixture.open(rules: whole.rules)).favorites()
        #expect(favorites.count == whole.favorites.count)
        for favorite in favorites {
            #expect(favorite.content.text.setup == cleanText(favorite.content.text.setup))
            #expect(favorite.id.rawValue.hasPrefix("salvaged:~") && favorite.id.rawValue.utf8.count == 26)
        }
    }

    @Test("an older damaged file is never overwritten, and unseen recoveries add up until somebody has seen them")
    func twice() throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: [.init(.main, .garbage(0..<4096))]))
        let first = try #require(try fixture.open(rules: whole.rules).recovery)
        var bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        bytes.replaceSubrange(0..<100, with: repeatElement(1, count: 100))
        try fixture.replace("jokes.sqlite", with: bytes)
        let store = try fixture.open(rules: whole.rules)
        let second = try #require(store.recovery)
        #expect(first.damagedFile != second.damagedFile)
        #expect(try contentsOfFile(second.damagedFile, limit: 1 << 26) == bytes)
        let reader = try JokeReader(of: store)
        #expect(try reader.recoveries() == [first, second])
        #expect(try reader.favorites() == whole.favorites)
        try store.assumeIsolated { try $0.forgetRecoveries(until: first.at) }
        #expect(try reader.recoveries() == (first.at == second.at ? [] : [second]))
        try store.assumeIsolated { try $0.forgetRecoveries(until: second.at) }
        #expect(try reader.recoveries() == [])
    }

    @Test("a damaged index of words is made anew from the jokes, and nothing else is touched")
    func damagedIndex() throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: []))
        let store = try fixture.open(rules: whole.rules)
        let reader = try JokeReader(of: store)
        let before = try reader.search("quack3 cross", limit: 9).total.count
        let vandal = try Connection(path: fixture.databasePath, .init(access: .writing))
        try vandal.execute(
            """
            INSERT INTO shown_words (shown_words, rowid, setup, punchline)
            SELECT 'delete', key, setup, punchline FROM shown_jokes WHERE setup LIKE '%quack3%' LIMIT 9
            """)
        let damaged = try reader.search("quack3 cross", limit: 9).total.count
        #expect(damaged == before - 9)
        let found = reader.damage(StoreError(.corruptIndex, attempt: "search", reason: "as SQLite may say at any time"))
        store.assumeIsolated { $0.report(found) }
        #expect(try reader.search("quack3 cross", limit: 9).total.count == before)
        #expect(try reader.favorites() == whole.favorites)
        #expect(fixture.names.allSatisfy { !$0.hasPrefix("jokes-damaged-") })
    }

    @Test(
        "a recovery that stops between any two steps is completed by the next start, with nothing lost or salvaged twice"
    )
    func stoppedInBetween() throws {
        let whole = try WholeDatabase.shared()
        let damage = Damage(edits: [.init(.main, .garbage(0..<4096))])
        let files = ["-wal", "-shm", ""]
        // So many of the files are aside, and so is the database that is being made: not, begun, or whole and in place.
        for (moved, making) in [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2)] {
            let fixture = try whole.files(after: damage)
            let before = try fixture.contents()
            let aside = "jokes-damaged-2023-11-14T22-13-20Z.sqlite"
            let note = "1699999999000000\n\(aside)\ntrue\nit was\n"
            try fixture.write(note, to: "jokes.sqlite.recovery")
            for file in files.prefix(moved) {
                #expect(rename("\(fixture.databasePath)\(file)", "\(fixture.path)/\(aside)\(file)") == 0)
            }
            if making == 1 { try fixture.write(Array(repeating: 3, count: 9_000), to: "jokes.sqlite.new") }
            if making == 2 {
                let other = try whole.files(after: damage)
                try other.write(note, to: "jokes.sqlite.recovery")
                _ = try other.open(rules: whole.rules)
                try fixture.replace("jokes.sqlite", with: other.contents()["jokes.sqlite"] ?? [])
            }
            let store = try fixture.open(rules: whole.rules)
            let reader = try JokeReader(of: store)
            #expect(try reader.favorites() == whole.favorites, "\(moved) moved, \(making) made")
            #expect(try reader.recoveries().count == 1, "\(moved) moved, \(making) made")
            if making < 2 { #expect(store.recovery?.reason == "it was") }
            let after = try fixture.contents()
            for file in making == 2 ? [""] : files.filter({ $0 != "-shm" }) {
                #expect(after["\(aside)\(file)"] == before["jokes.sqlite\(file)"])
            }
            #expect(after["jokes.sqlite.recovery"] == nil && after["jokes.sqlite.new"] == nil)
            #expect(try fixture.open(rules: whole.rules).recovery == nil)
        }
    }

    @Test("the whole database is looked through after an unclean end and after a month, and damage to jokes is found")
    func wholeCheck() throws {
        let whole = try WholeDatabase.shared()
        let fixture = try whole.files(after: Damage(edits: []))
        do {
            let store = try fixture.open(rules: whole.rules)
            #expect(store.wasLeftOpen && WholeCheck.isDue(store, lastCheck: Fixture.noon, at: Fixture.noon))
            #expect(try #require(WholeCheck(of: store)).run { true }.get())
            try store.assumeIsolated { try $0.recordCheck(at: Fixture.noon) }
        }
        var store = try fixture.open(rules: whole.rules)
        #expect(try JokeReader(of: store).lastCheck() == Fixture.noon)
        let month = Fixture.noon.advanced(by: .seconds(31 * 86_400))
        #expect(!store.wasLeftOpen && !WholeCheck.isDue(store, lastCheck: Fixture.noon, at: Fixture.noon))
        #expect(WholeCheck.isDue(store, lastCheck: Fixture.noon, at: month))
        #expect(try !#require(WholeCheck(of: store)).run { false }.get())
        var bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        let page = try #require(whole.pageOfJokesAlone)
        for place in page..<page + 4096 { bytes[place] = 0xAA }
        store = try Fixture(path: fixture.path).open(rules: whole.rules)
        try fixture.replace("jokes.sqlite", with: bytes)
        #expect(throws: FoundDamage.self) { try #require(WholeCheck(of: store)).run { true }.get() }
    }

    @Test("damage that is met while it runs: nothing more is acknowledged, then it goes on with what was salvaged")
    func whileRunning() throws {
        let whole = try WholeDatabase.shared(hasLog: false)
        let fixture = try whole.files(after: Damage(edits: []))
        let store = try fixture.open(rules: whole.rules)
        let reader = try JokeReader(of: store)
        let found = reader.damage(StoreError(.corrupt, attempt: "read", reason: "a page is damaged"))
        try store.assumeIsolated { store in
            store.report(found)
            let refused = #expect(throws: StoreError.self) { try store.favorite(whole.jokes[7].id, at: Fixture.noon) }
            #expect(refused?.code == .corrupt)
            let recovery = try #require(try store.recover())
            #expect(recovery.favorites == whole.favorites.count && recovery.favoritesLost == 0)
            #expect(try store.recover() == nil)
        }
        #expect(try reader.favorites() == whole.favorites)
        try store.take(whole.jokes)
        #expect(try reader.counts().stored == whole.jokes.count)
        #expect(fixture.names.filter { $0.hasPrefix("jokes-damaged-") && $0.hasSuffix(".sqlite") }.count == 1)
    }
}
