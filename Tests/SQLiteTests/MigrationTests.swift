import SQLite
import TestSupport
import Testing

@Suite struct MigrationTests {
    private static let scripts = [
        "CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT",
        "ALTER TABLE jokes ADD COLUMN text TEXT; INSERT INTO jokes VALUES (1, 'duck')",
        "CREATE TABLE stars (joke INTEGER NOT NULL REFERENCES jokes) STRICT",
    ]
    private static let application: Int32 = 0x7E57

    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("test.sqlite")
    }

    private func open() throws -> Connection {
        try Connection(path: path, access: .writing)
    }

    private func schema(_ connection: Connection) throws -> [String] {
        try connection.prepare("SELECT sql FROM sqlite_schema ORDER BY name").map { row in try row.read(0) }
    }

    @Test("a migration from any earlier version makes the schema of a new file", arguments: 0...3)
    func fromEveryVersion(version: Int) throws {
        let new = try Connection(path: folder.path("new.sqlite"), access: .writing)
        try new.migrate(Self.scripts, applicationID: Self.application)
        try open().migrate(Array(Self.scripts.prefix(version)), applicationID: Self.application)
        let connection = try open()
        #expect(try connection.schemaVersion == version)
        try connection.migrate(Self.scripts, applicationID: Self.application)
        #expect(try connection.schemaVersion == 3)
        let (upgraded, made) = (try schema(connection), try schema(new))
        #expect(upgraded == made)
        #expect(try connection.prepare("SELECT id FROM jokes").map { row in try row.read(0) } == [1])
    }

    @Test("a script that fails leaves the previous version unchanged")
    func failingScript() throws {
        var scripts = Self.scripts
        scripts[1] = "ALTER TABLE jokes ADD COLUMN text TEXT; INSERT INTO nowhere VALUES (1)"
        let connection = try open()
        let error = #expect(throws: SQLiteError.self) {
            try connection.migrate(scripts, applicationID: Self.application)
        }
        #expect(error?.code == .badStatement)
        #expect(try connection.schemaVersion == 1)
        #expect(try schema(connection) == ["CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT"])
        try connection.migrate(Self.scripts, applicationID: Self.application)
        #expect(try connection.schemaVersion == 3)
    }
}
