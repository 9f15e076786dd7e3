import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// What became of databases that earlier versions of the program wrote.
@Suite struct UpgradeTests {
    let fixture: Fixture
    private static let earlierVersions = 1..<Schema.migrations.count

    init() throws {
        fixture = try Fixture()
    }

    private func schema(_ path: String) throws -> [String] {
        try Connection(path: path, .init(access: .reading))
            .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").map { row in try row.read(0) }
    }

    @Test("a database of any version is brought up to date with all that is in it", arguments: earlierVersions)
    func fromEach(_ version: Int) throws {
        try OldDatabase(path: fixture.databasePath).write(version: version)
        let store = try fixture.open(rules: ShowingRules(sourceOrder: ["a", "b"]))
        let reader = try JokeReader(of: store)
        #expect(try reader.shownIDs() == ["a:1"])
        #expect(try reader.favoriteIDs() == ["a:1"])
        #expect(try reader.search("small", limit: 9).rows.map(\.joke.id.rawValue) == ["a:1"])
        #expect(try reader.sourceStates()["a"] == SourceState(cursor: "page 3", failureCount: 2))
        let selection = JokeSelection(source: "a", category: "pun", language: "en", maxLength: 15)
        #expect(try reader.random(selection)?.id.rawValue == "a:1")
        try checkTables(Connection(path: fixture.databasePath, .init(access: .reading)))
        let first = try #require(try reader.joke(JokeID(rawValue: "a:1")))
        #expect(first.joke.isStarred)
        #expect(first.joke.content.categories == ["Pun"])
        #expect(first.lastSeen == Timestamp(microseconds: 7_000_000))
        #expect(first.duplicates.map(\.rawValue) == ["a:2"])
        #expect(try store.take([joke("a", "1", "One small duck.", categories: ["Pun"])], part: .end).missing == 0)
        let ending = try store.take([joke("a", "3", "Three ducks.")], part: .whole)
        #expect(ending == IngestReport(new: 1, missing: 2))
        try store.assumeIsolated { store in try store.adopt(.everything("a", "b")) }
        #expect(try reader.shownIDs() == ["a:3", "b:4", "a:1"])
        try checkTables(Connection(path: fixture.databasePath, .init(access: .reading)))
    }

    @Test("an old database comes to the same schema as a new one", arguments: earlierVersions)
    func sameSchema(_ version: Int) throws {
        try OldDatabase(path: fixture.databasePath).write(version: version)
        let new = try Fixture()
        _ = try (fixture.open(), new.open())
        let (upgraded, made) = (try schema(fixture.databasePath), try schema(new.databasePath))
        #expect(upgraded == made)
    }
}
