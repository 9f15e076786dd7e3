import JokesCore
import JokesStore
import SQLite
import TestSupport

/// The files that each case starts with.
struct Beginning: Sendable {
    let name: String
    private let files: [String: [UInt8]]

    private init(_ name: String, _ fixture: Fixture) throws {
        self.name = name
        files = try fixture.contents()
    }

    /// A fixture with a copy of them.
    func fixture() throws -> Fixture {
        try Fixture(holding: files)
    }

    /// An empty folder.
    static func nothing() throws -> Beginning {
        try Beginning("nothing", Fixture())
    }

    /// A database that was closed cleanly.
    static func closed() throws -> Beginning {
        let fixture = try Fixture()
        try fill(fixture.open())
        return try Beginning("a closed database", fixture)
    }

    /// A database with a WAL that one of the next two changes checkpoints.
    static func fullLog() throws -> Beginning {
        let fixture = try Fixture()
        let store = try fixture.open()
        try fill(store)
        let size = 32 + Connection.defaultWALPages * (24 + 4096)
        var last: Beginning?
        var isFavorite = false
        while fixture.logSize < size {
            if fixture.logSize > size - 60_000 { last = try Beginning("a full WAL", fixture) }
            _ = isFavorite ? try store.unstar("a:20") : try store.star("a:20")
            isFavorite.toggle()
        }
        return try last ?? Beginning("a full WAL", fixture)
    }

    /// Two sources with duplicates, in the middle of a full sync; two favorites, a hidden mark.
    private static func fill(_ store: JokeStore) throws {
        try store.take(jokes(0..<40, categories: ["Duck"]), part: .beginning)
        try store.take(
            jokes(0..<5, from: "b") + [joke("b", "same", "Why did duck a3 cross?", "Side 3.")], from: "b", part: .whole)
        try store.star("a:1")
        try store.star("b:2")
        _ = try store.assumeIsolated { store in
            try store.setHidden(true, JokeID(rawValue: "a:4"), at: Fixture.noon)
        }
    }
}
