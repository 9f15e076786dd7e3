import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Unix

/// The files that a try begins with, made once and copied for each.
struct Beginning: Sendable {
    let name: String
    private let files: [String: [UInt8]]

    /// What the state folder has of the database now.
    init(_ name: String, in folder: String) throws {
        self.name = name
        var files: [String: [UInt8]] = [:]
        for file in ["jokes.sqlite", "jokes.sqlite-wal", Journal.fileName] where access("\(folder)/\(file)", F_OK) == 0
        {
            files[file] = try contentsOfFile("\(folder)/\(file)", limit: 64 << 20)
        }
        self.files = files
    }

    /// A fixture with a copy of them.
    func fixture() throws -> Fixture {
        let fixture = try Fixture()
        for (name, bytes) in files { try fixture.write(bytes, to: name) }
        return fixture
    }

    // MARK: Those that there are

    /// An empty folder.
    static func nothing() throws -> Beginning {
        try Beginning("nothing", in: Fixture().path)
    }

    /// A database that was closed well.
    static func closed() throws -> Beginning {
        let fixture = try Fixture()
        try fill(fixture.open())
        return try Beginning("a closed database", in: fixture.path)
    }

    /// A database whose log is so full that the next change or the one after it brings it into the file.
    static func fullLog() throws -> Beginning {
        let fixture = try Fixture()
        let store = try fixture.open()
        try fill(store)
        let size = 32 + Connection.usualLogPages * (24 + 4096)
        var last: Beginning?
        var isStarred = false
        while fixture.logSize < size {
            if fixture.logSize > size - 60_000 { last = try Beginning("a full log", in: fixture.path) }
            _ = isStarred ? try store.unstar("a:20") : try store.star("a:20")
            isStarred.toggle()
        }
        return try last ?? Beginning("a full log", in: fixture.path)
    }

    /// A database whose first page is damaged.
    static func damaged() throws -> Beginning {
        let fixture = try Fixture()
        try fill(fixture.open())
        var bytes = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        bytes.replaceSubrange(0..<100, with: repeatElement(0xA5, count: 100))
        try fixture.write(bytes, to: "jokes.sqlite")
        return try Beginning("a damaged database", in: fixture.path)
    }

    /// Two sources that tell some jokes alike, in the middle of a sweep; a star, a hidden mark.
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
