import JokesCore
import JokesStore
import SQLite
import TestSupport

/// The database files with which a `FaultScenario` starts.
struct InitialState: Sendable {
    let name: String
    private let files: [String: [UInt8]]

    private init(_ name: String, _ fixture: Fixture) throws {
        self.name = name
        files = try fixture.contents()
    }

    /// Returns a fixture with a copy of the files.
    func makeFixture() throws -> Fixture {
        try Fixture(holding: files)
    }

    /// Returns an empty folder.
    static func emptyFolder() throws -> InitialState {
        try InitialState("an empty folder", Fixture())
    }

    /// Returns a database that was closed cleanly.
    static func closedDatabase() throws -> InitialState {
        let fixture = try Fixture()
        try fill(fixture.open())
        return try InitialState("a closed database", fixture)
    }

    /// Returns a database with a WAL that one of the next two changes checkpoints.
    static func fullWAL() throws -> InitialState {
        let fixture = try Fixture()
        let store = try fixture.open()
        try fill(store)
        let size = 32 + 1000 * (24 + 4096)
        var lastBeforeLimit: InitialState?
        var isFavorite = false
        while fixture.walSize < size {
            if fixture.walSize > size - 60_000 { lastBeforeLimit = try InitialState("a full WAL", fixture) }
            _ = isFavorite ? try store.unfavorite("a:20") : try store.favorite("a:20")
            isFavorite.toggle()
        }
        return try lastBeforeLimit ?? InitialState("a full WAL", fixture)
    }

    /// Stores jokes of two sources with one duplicate, two favorites and a hidden mark. Leaves the full sync of `a`
    /// unfinished.
    private static func fill(_ store: JokeStore) throws {
        try store.ingest(jokes(0..<40, categories: ["Duck"]), part: .beginning)
        try store.ingest(
            jokes(0..<5, from: "b") + [joke("b", "same", "Why did duck a3 cross?", "Side 3.")], from: "b", part: .whole)
        try store.favorite("a:1")
        try store.favorite("b:2")
        try store.hide("a:4")
    }
}
