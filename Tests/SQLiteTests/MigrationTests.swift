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
        try Connection(path: path, .init(access: .writing))
    }

    private func schema(_ connection: Connection) throws -> [String] {
        try connection.prepare("SELECT sql FROM sqlite_schema ORDER BY name").map { row in try row.read(0) }
    }

    @Test("every earlier version comes to the same schema as a new file", arguments: 0...3)
    func fromEveryVersion(version: Int) throws {
        let new = try Connection(path: folder.path("new.sqlite"), .init(access: .writing))
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

    @Test("a script that fails leaves the version before it, whole")
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

    @Test("a file of a newer schema is refused and left as it is")
    func newerSchema() throws {
        try open().migrate(Self.scripts, applicationID: Self.application)
        let connection = try open()
        let before = try schema(connection)
        let error = #expect(throws: SQLiteError.self) {
            try connection.migrate(Array(Self.scripts.prefix(2)), applicationID: Self.application)
        }
        #expect(error?.code == .newerSchema)
        #expect(error?.description.contains("schema 3") == true)
        #expect(try schema(connection) == before)
        #expect(try connection.schemaVersion == 3)
    }

    @Test("another program's database is refused and left as it is", arguments: [0, 99])
    func foreign(application: Int) throws {
        let theirs = try open()
        try theirs.execute("CREATE TABLE theirs (id INTEGER); PRAGMA application_id = \(application)")
        let error = #expect(throws: SQLiteError.self) {
            try open().migrate(Self.scripts, applicationID: Self.application)
        }
        #expect(error?.code == .foreign)
        #expect(try schema(theirs) == ["CREATE TABLE theirs (id INTEGER)"])
    }
}
