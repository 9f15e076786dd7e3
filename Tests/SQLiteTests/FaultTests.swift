import Glibc
import SQLite
import TestSupport
import Testing

@Suite struct FaultTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("test.sqlite")
    }

    private func open(_ access: Connection.Access = .writing, wait: Duration = .seconds(5)) throws -> Connection {
        try Connection(path: path, .init(access: access, busyTimeout: wait))
    }

    private func ids(_ connection: Connection) throws -> [Int] {
        try connection.prepare("SELECT id FROM jokes ORDER BY id").map { row in try row.read(0) }
    }

    @Test("a lock held for too long is busy; nothing has changed, and all is well once it is let go")
    func busy() throws {
        let mine = try open(wait: .milliseconds(10))
        try mine.execute("CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT")
        let other = try open()
        try other.write {
            let error = #expect(throws: SQLiteError.self) {
                try mine.write { try mine.execute("INSERT INTO jokes VALUES (1)") }
            }
            #expect(error?.code == .busy)
        }
        try mine.write { try mine.execute("INSERT INTO jokes VALUES (2)") }
        #expect(try ids(mine) == [2])
    }

    @Test("a lock held for a moment is waited for")
    func waiting() async throws {
        let mine = try open()
        try mine.execute("CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT")
        let path = path
        let hasty = try open(wait: .zero)
        let (mayEnd, ended) = (try Mailbox<Void>(), try Mailbox<Result<Void, any Error>>())
        // A thread of its own: the runtime's may all be taken, by others or by this test as it waits.
        startThread {
            ended.put(
                Result {
                    let other = try Connection(path: path, .init(access: .writing))
                    try other.write { try mayEnd.take("the lock may be let go") }
                })
        }
        try await waitUntil("the lock is held") {
            do {
                try hasty.write {}
                return false
            } catch let error as SQLiteError where error.code == .busy {
                return true
            }
        }
        mayEnd.put(())
        try mine.write { try mine.execute("INSERT INTO jokes VALUES (1)") }
        try ended.take("the lock was let go").get()
        #expect(try ids(mine) == [1])
    }

    @Test("a full disk is told apart, undoes the transaction, and is forgotten once there is room")
    func full() throws {
        let connection = try open()
        try connection.execute("CREATE TABLE jokes (id INTEGER PRIMARY KEY, text TEXT) STRICT")
        let pages: Int = try #require(try connection.prepare("PRAGMA page_count").first { row in try row.read(0) })
        try connection.execute("PRAGMA max_page_count = \(pages + 2)")
        func insertMuch() throws {
            try connection.write {
                for id in 1...100 {
                    let text = String(repeating: "ha", count: 500)
                    try connection.prepare("INSERT INTO jokes VALUES (?, ?)").run(id, text)
                }
            }
        }
        let error = #expect(throws: SQLiteError.self) { try insertMuch() }
        #expect(error?.code == .full)
        #expect(try ids(connection) == [])
        try connection.execute("PRAGMA max_page_count = 10000")
        try insertMuch()
        #expect(try ids(connection) == Array(1...100))
    }

    @Test("a reading connection writes nothing")
    func readOnly() throws {
        let writer = try open()
        try writer.execute("CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT; INSERT INTO jokes VALUES (1)")
        let error = #expect(throws: SQLiteError.self) { try open(.reading).execute("DELETE FROM jokes") }
        #expect(error?.code == .readOnly)
        #expect(try ids(writer) == [1])
    }

    @Test("a file that is no database is corrupt, and is left as it is")
    func garbage() throws {
        let bytes = Array(String(repeating: "not a database ", count: 1000).utf8)
        try folder.write(bytes, to: "test.sqlite")
        let error = #expect(throws: SQLiteError.self) { try open() }
        #expect(error?.code == .corrupt)
        #expect(try readFile() == bytes)
    }

    @Test("a damaged page is corrupt; what is on the others can still be read")
    func damagedPage() throws {
        var connection: Connection? = try open()
        try connection?.execute("CREATE TABLE jokes (id INTEGER) STRICT; CREATE TABLE bad (text TEXT) STRICT")
        try connection?.execute("INSERT INTO jokes VALUES (1); INSERT INTO bad VALUES ('duck')")
        let root: Int? = try connection?.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'bad'").first { row in
            try row.read(0)
        }
        connection = nil
        var bytes = try readFile()
        let start = (try #require(root) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0xA5, count: 4096))
        try folder.write(bytes, to: "test.sqlite")
        let damaged = try open()
        let error = #expect(throws: SQLiteError.self) { try damaged.prepare("SELECT text FROM bad").run() }
        #expect(error?.code == .corrupt)
        #expect(try ids(damaged) == [1])
    }

    private func readFile() throws -> [UInt8] {
        let file = Glibc.open(path, O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    @Test("a file that is not there, in a folder that is not there, cannot be opened, in words")
    func noFolder() throws {
        let path = folder.path("no/test.sqlite")
        for access in [Connection.Access.writing, .reading] {
            let error = #expect(throws: SQLiteError.self) { _ = try Connection(path: path, .init(access: access)) }
            #expect(error?.code == .cannotOpen)
            #expect(error?.description.contains(path) == true)
        }
    }

    @Test("a new database and its log are for their owner alone")
    func privateFiles() throws {
        let connection = try open()
        try connection.execute("CREATE TABLE jokes (id INTEGER) STRICT")
        for name in ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"] {
            var facts = stat()
            #expect(stat(folder.path(name), &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o600, "\(name)")
        }
    }
}
