import SQLite
import StorageFaults
import TestSupport
import Testing

@Suite struct TransactionTests {
    let folder: TemporaryFolder
    let path: String
    let connection: Connection

    private struct Refused: Error {}

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("test.sqlite")
        connection = try Connection(path: path, access: .writing)
        try connection.execute("CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT")
    }

    private func ids(_ connection: Connection) throws -> [Int] {
        try connection.prepare("SELECT id FROM jokes ORDER BY id").map { row in try row.read(0) }
    }

    private func insert(_ id: Int) throws {
        try connection.prepare("INSERT INTO jokes VALUES (?)").run(id)
    }

    @Test("a write that returns is complete, and a write that throws is undone")
    func allOrNothing() throws {
        try connection.write {
            try insert(1)
            try insert(2)
        }
        #expect(throws: Refused.self) {
            try connection.write {
                try insert(3)
                throw Refused()
            }
        }
        #expect(throws: SQLiteError.self) {
            try connection.write {
                try insert(4)
                try insert(1)
            }
        }
        #expect(try ids(connection) == [1, 2])
        try connection.write { try insert(5) }
        #expect(try ids(connection) == [1, 2, 5])
    }

    @Test("a write that runs out of memory at any point is undone, and the next one works")
    func outOfMemory() throws {
        let kind = try #require(StorageFault.Kind.all.first { $0.call == .allocate })
        for number in 1...10_000 {
            let connection = try Connection(path: path, access: .writing)
            let (result, hasComeUp) = StorageFault(kind, number: number, lasts: true).during {
                try connection.write { try connection.execute("INSERT INTO jokes VALUES (1)") }
            }
            guard hasComeUp else { return }
            #expect(throws: SQLiteError.self) { try result.get() }
            #expect(try connection.write { try ids(connection) } == [])
        }
        Issue.record("it never has enough")
    }

    @Test("the body's error is thrown, even if nothing is left to undo")
    func bodyErrorWins() throws {
        #expect(throws: Refused.self) {
            try connection.write {
                try connection.execute("ROLLBACK")
                throw Refused()
            }
        }
        try connection.write { try insert(1) }
        #expect(try ids(connection) == [1])
    }

    @Test("a read sees one state from its first statement to its last, and the next read sees the newest state")
    func readerSeesOneState() throws {
        let reader = try Connection(path: path, access: .reading)
        try connection.write { try insert(1) }
        try reader.read {
            #expect(try ids(reader) == [1])
            try connection.write { try insert(2) }
            #expect(try ids(reader) == [1])
        }
        #expect(try ids(reader) == [1, 2])
    }

    @Test("a reading connection writes nothing")
    func readOnly() throws {
        let reader = try Connection(path: path, access: .reading)
        let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO jokes VALUES (1)") }
        #expect(error?.code == .readOnly)
        #expect(try ids(connection) == [])
    }

    @Test("a write waits for a lock that is held for a short time")
    func waiting() async throws {
        let hasty = try Connection(path: path, access: .writing, busyTimeout: .zero)
        let (mayEnd, ended) = (try Mailbox<Void>(), try Mailbox<Result<Void, any Error>>())
        // On a thread of its own: all threads of the runtime may be busy.
        startThread { [path] in
            ended.put(
                Result {
                    let other = try Connection(path: path, access: .writing)
                    try other.write { try mayEnd.take("the lock may be released") }
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
        try connection.write { try insert(1) }
        try ended.take("the lock was released").get()
        #expect(try ids(connection) == [1])
    }
}
