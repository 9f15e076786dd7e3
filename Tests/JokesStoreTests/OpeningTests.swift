import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

@Suite struct OpeningTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    private func setVersion(_ version: Int) throws {
        try Connection(path: fixture.databasePath, .init(access: .writing)).execute("PRAGMA user_version = \(version)")
    }

    @Test("all is there after a restart: jokes, favorites, hidden marks, states")
    func reopen() throws {
        do {
            let store = try fixture.open()
            try store.take(jokes(0..<20))
            try store.star("a:3")
            try store.assumeIsolated { store in
                try store.setHidden(true, JokeID(rawValue: "a:4"), at: Fixture.noon)
                try store.save(SourceState(cursor: "x"), of: "a")
            }
        }
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        #expect(try reader.shownIDs() == (0..<20).reversed().filter { $0 != 4 }.map { "a:\($0)" })
        #expect(try reader.favoriteIDs() == ["a:3"])
        #expect(try reader.sourceStates()["a"]?.cursor == "x")
    }

    @Test("a store that is opened again under the same rules writes nothing")
    func openingWritesNothing() throws {
        try fixture.open().take(jokes(0..<20))
        let store = try fixture.open()
        #expect(fixture.logSize == 0)
        #expect(try JokeReader(of: store).shownIDs().count == 20)
    }

    @Test("the database is for its owner alone")
    func privateFile() throws {
        let store = try fixture.open()
        try store.take(jokes(0..<1))
        var facts = stat()
        #expect(stat(fixture.databasePath, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
    }

    @Test("a database of a newer version is refused in words and left as it is")
    func newerSchema() throws {
        try fixture.open().take(jokes(0..<3))
        try setVersion(99)
        let error = #expect(throws: StoreError.self) { try fixture.open() }
        #expect(error?.code == .newerSchema)
        let path = fixture.databasePath
        let words =
            "cannot open the database: a newer jokesd wrote \(path): the database has schema 99, this program supports \(Schema.migrations.count)"
        #expect(error?.description == words)
        try setVersion(Schema.migrations.count)
        #expect(try JokeReader(of: fixture.open()).shownIDs().count == 3)
    }

    @Test("a missing folder is an error")
    func missingFolder() throws {
        let error = #expect(throws: StoreError.self) {
            try JokeStore(folder: "\(fixture.path)/no", executor: fixture.executor, rules: .everything())
        }
        #expect(error?.code == .cannotOpen)
    }

    @Test("another program's database is set aside as it is, and the favorites of the journal are there")
    func foreignDatabase() throws {
        do {
            let store = try fixture.open()
            try store.take(jokes(0..<3))
            try store.star("a:1")
        }
        unlink(fixture.databasePath)
        try Connection(path: fixture.databasePath, .init(access: .writing)).execute("CREATE TABLE theirs (id INTEGER)")
        let bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 20)
        let store = try fixture.open()
        let aside = try #require(store.recovery?.damagedFile)
        #expect(aside.hasPrefix("\(fixture.path)/jokes-foreign-"))
        #expect(try contentsOfFile(aside, limit: 1 << 20) == bytes)
        #expect(try JokeReader(of: store).favoriteIDs() == ["a:1"])
    }

    @Test("a database of an unreleased version is set aside, and its favorites and hidden marks are kept")
    func unreleasedDatabase() throws {
        let database = try Connection(path: fixture.databasePath, .init(access: .writing))
        // What version 8 had of these tables.
        try database.execute(
            """
            PRAGMA application_id = 1785686885;
            PRAGMA user_version = 8;
            CREATE TABLE favorites (
                key INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint BLOB NOT NULL UNIQUE, id TEXT NOT NULL UNIQUE,
                favorited_at INTEGER NOT NULL, first_seen INTEGER NOT NULL, setup TEXT NOT NULL, punchline TEXT,
                language TEXT NOT NULL, categories TEXT NOT NULL, flags INTEGER NOT NULL, safety TEXT NOT NULL, url TEXT,
                author TEXT, upstream_date TEXT, admitted INTEGER NOT NULL DEFAULT 1, note TEXT
            ) STRICT;
            CREATE TABLE hidden (fingerprint BLOB PRIMARY KEY, hidden_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            INSERT INTO hidden VALUES (zeroblob(32), 5);
            """)
        let (first, second) = (try joke("a", "1", "One duck."), try joke("a", "2", "Two ducks."))
        for (joke, note) in [(first, nil), (second, "mine")] {
            try database.prepare(
                """
                INSERT INTO favorites (fingerprint, id, favorited_at, first_seen, setup, language, categories, flags,
                safety, note) VALUES (?, ?, 7, 6, ?, 'en', 'Duck', 0, 'safe', ?)
                """
            ).run(joke.fingerprint, joke.id, joke.content.text.setup, note)
        }
        let store = try fixture.open()
        let reader = try JokeReader(of: store)
        #expect(try reader.favorites().map(\.content.text) == [second.content.text, first.content.text])
        #expect(try reader.favorites().map(\.note) == ["mine", nil])
        #expect(try reader.hidden(limit: 9).count == 1)
        #expect(store.recovery?.damagedFile.hasPrefix("\(fixture.path)/jokes-foreign-") == true)
    }

    @Test("while another process holds the lock: changes are refused with the reason, what is cached is served")
    func locked() throws {
        let store = try fixture.open(lockTimeout: .milliseconds(10))
        try store.take(jokes(0..<3))
        let reader = try JokeReader(of: store)
        let outsider = try Connection(path: fixture.databasePath, .init(access: .writing))
        try outsider.write { () throws in
            let error = #expect(throws: StoreError.self) { try store.star("a:1") }
            #expect(error?.code == .busy)
            let reason = "another process holds the lock of \(fixture.databasePath)"
            #expect(error?.description == "cannot add favorite a:1: \(reason)")
            #expect(try reader.shownIDs().count == 3)
            #expect(try reader.random() != nil)
        }
        try store.star("a:1")
        #expect(try reader.favoriteIDs() == ["a:1"])
    }

    @Test("what a change waited for its turn, it does not wait for a lock once more")
    func lockedWhileQueued() throws {
        let anHour = Duration.seconds(3600)
        let store = try fixture.open(lockTimeout: anHour)
        try store.take(jokes(0..<3))
        func star(asked: BootInstant) throws -> Bool {
            try store.assumeIsolated { store in
                try store.change(asked: asked) { _ = try $0.favorite(JokeID(rawValue: "a:1"), at: Fixture.noon) }
                    .hasWritten
            }
        }
        let outsider = try Connection(path: fixture.databasePath, .init(access: .writing))
        try outsider.write { () throws in
            let error = #expect(throws: StoreError.self) { try star(asked: .now.advanced(by: .zero - anHour)) }
            #expect(error?.code == .busy)
        }
        #expect(try star(asked: .now))
        // It is there already.
        #expect(try !star(asked: .now))
    }

    @Test("after SIGKILL in the middle of a batch: every acknowledged favorite is there, and nothing of the batch")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = fixture.path as String] in
            try starThenDieInBatch(path)
        }
        #expect(fixture.logSize > 500_000)
        let reader = try JokeReader(of: fixture.open())
        #expect(try reader.favoriteIDs() == (0..<20).reversed().map { "a:\($0)" })
        #expect(try reader.counts().stored == 50)
    }
}

/// Stars twenty jokes, begins a batch, and ends this process the hard way once a part of it is in the file.
private func starThenDieInBatch(_ path: String) throws {
    let fixture = try Fixture(path: path)
    var store = try fixture.open()
    try store.take(jokes(0..<50))
    for number in 0..<20 { try store.star("a:\(number)") }
    store = try JokeStore(
        folder: path, executor: fixture.executor, rules: .everything("a", "b", "c"),
        randomness: FatalRandomness(databasePath: fixture.databasePath))
    // Few and long: more than the page cache holds.
    let long = String(repeating: "quack ", count: 1_300)
    let batch = try (0..<1_200).map { number in
        var duck = try joke("a", "long\(number)", "Long duck \(number)")
        duck.content.text = .single("\(number) \(long)")
        return duck
    }
    try store.take(batch)
}

/// Generates a number for each new joke of a batch, and kills the process when a part of the batch is in the WAL.
private struct FatalRandomness: RandomNumberGenerator {
    let databasePath: String

    func next() -> UInt64 {
        if sizeOfLog(databasePath) > 500_000 { kill(getpid(), SIGKILL) }
        return 4
    }
}
