import SQLite
import TestSupport
import Testing

@Suite struct StatementTests {
    let folder: TemporaryFolder
    let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try Connection(path: folder.path("test.sqlite"), access: .writing)
    }

    @Test("values of each type are read as they were written, also empty ones and text with U+0000")
    func roundTrip() throws {
        try connection.execute("CREATE TABLE kept (i INTEGER, t TEXT, b BLOB, n INTEGER, f INTEGER) STRICT")
        try connection.write {
            try checkProperty("round trip", maxSize: 60) { random, size in
                Kept.random(size: size, using: &random)
            } property: { kept in
                try connection.prepare("DELETE FROM kept").run()
                try connection.prepare("INSERT INTO kept VALUES (?, ?, ?, ?, ?)")
                    .run(kept.integer, kept.text, kept.bytes, kept.number, kept.flag)
                let rows = try connection.prepare("SELECT i, t, b, n, f FROM kept").map { row in
                    Kept(
                        integer: try row.read(0), text: try row.read(1), bytes: try row.read(2),
                        number: try row.read(3), flag: try row.read(4))
                }
                try verify(rows == [kept], "read \(rows)")
            }
        }
    }

    @Test(
        "a column is never converted: reading it as another type is an error that names both",
        arguments: [("7", "an integer"), ("'7'", "text"), ("7.5", "a real"), ("x'07'", "a blob"), ("NULL", "NULL")])
    func wrongType(literal: String, name: String) throws {
        let readers: [(type: String, read: (borrowing Row) throws -> Void)] = [
            ("an integer", { row in _ = try row.read(0, as: Int.self) }),
            ("text", { row in _ = try row.read(0, as: String.self) }),
            ("a blob", { row in _ = try row.read(0, as: [UInt8].self) }),
        ]
        let statement = try connection.prepare("SELECT \(literal) AS duck")
        for (type, read) in readers where type != name {
            let error = #expect(throws: SQLiteError.self) { _ = try statement.map { row in try read(row) } }
            #expect(error?.code == .wrongType)
            #expect(error?.message.hasPrefix("column duck holds \(name), not ") == true, "\(error?.message ?? "")")
        }
    }

    @Test("a number other than 0 and 1 is not read as a Bool")
    func onlyTwoTruths() throws {
        #expect(throws: SQLiteError.self) {
            _ = try connection.prepare("SELECT 2").map { row in try row.read(0, as: Bool.self) }
        }
    }

    @Test("interpolated values are bound in the order of the text, also those of an inserted text")
    func interpolation() throws {
        var condition: SQL = "n % \(10) = \(7)"
        condition += " AND n < \(50)"
        let columns = "sum(n), max(n)"
        let query: SQL = """
            WITH RECURSIVE numbers(n) AS (SELECT \(1) UNION ALL SELECT n + 1 FROM numbers LIMIT \(100))
            SELECT \(text: columns), \("it's") FROM numbers WHERE \(condition) AND n > \(16)
            """
        let rows = try connection.map(query) { row in
            "\(try row.read(0, as: Int.self)) \(try row.read(1, as: Int.self)) \(try row.read(2, as: String.self))"
        }
        #expect(rows == ["128 47 it's"])
    }

    @Test("a statement is compiled once, and again after a failed run")
    func cache() throws {
        try connection.execute("CREATE TABLE jokes (id INTEGER PRIMARY KEY) STRICT")
        let insert = "INSERT INTO jokes VALUES (?)"
        let first = try connection.prepare(insert)
        try first.run(1)
        #expect(try connection.prepare(insert) === first)
        #expect(throws: SQLiteError.self) { try first.run(1) }
        let second = try connection.prepare(insert)
        #expect(second !== first)
        try second.run(2)
        #expect(try connection.prepare("SELECT id FROM jokes").map { row in try row.read(0) } == [1, 2])
    }

    @Test("an error of the commit after the first row is thrown")
    func commitAfterFirstRow() throws {
        try connection.execute(
            """
            CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED) STRICT
            """)
        let insert = try connection.prepare("INSERT INTO children VALUES (7) RETURNING parent")
        let error = #expect(throws: SQLiteError.self) { try insert.first { row in try row.read(0, as: Int.self) } }
        #expect(error?.code == .constraint)
        #expect(try connection.prepare("SELECT parent FROM children").map { row in try row.read(0) } == [Int]())
    }

    @Test("a statement that stops before its last row can run again")
    func leavingEarly() throws {
        struct Enough: Error {}
        let numbers = "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT i FROM n"
        let statement = try connection.prepare(numbers)
        let found: Int? = try statement.first(1) { row in
            let number = try row.read(0, as: Int.self)
            return number > 41 ? number : nil
        }
        #expect(found == 42)
        #expect(throws: Enough.self) { _ = try statement.map(1) { _ in throw Enough() } }
        #expect(try connection.prepare(numbers) === statement)
        #expect(try statement.map(98) { row in try row.read(0) } == [98, 99, 100])
    }

    @Test("an error names the statement, but no value bound to it")
    func errorsKeepValuesSecret() throws {
        try connection.execute("CREATE TABLE notes (text TEXT UNIQUE) STRICT")
        let insert = "INSERT INTO notes VALUES (?)"
        try connection.prepare(insert).run("a secret")
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(insert).run("a secret") }
        #expect(error?.code == .constraint)
        #expect(error?.subject == insert)
        #expect(error?.description.contains("UNIQUE constraint failed") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        "a mistake in the SQL is a bad statement",
        arguments: ["SELEC 1", "SELECT * FROM nowhere", "", "-- nothing", #"SELECT "no such column""#])
    func badStatement(sql: String) throws {
        let error = #expect(throws: SQLiteError.self) { _ = try connection.prepare(sql) }
        #expect(error?.code == .badStatement)
        #expect(error?.subject == sql)
    }
}

/// One row of every type.
private struct Kept: Equatable {
    var integer: Int64
    var text: String
    var bytes: [UInt8]
    var number: Int?
    var flag: Bool

    static func random(size: Int, using random: inout SplitMix64) -> Kept {
        let scalars: [Unicode.Scalar] = ["a", "\u{0}", "é", "🦆", "\u{301}", "\n", "'", "\u{202E}"]
        var text = ""
        for _ in 0..<random.int(in: 0..<size) {
            text.unicodeScalars.append(scalars[random.int(in: 0..<scalars.count)])
        }
        return Kept(
            integer: Int64(bitPattern: random.next()), text: text,
            bytes: (0..<random.int(in: 0..<size)).map { _ in UInt8(truncatingIfNeeded: random.next()) },
            number: random.int(in: 0..<3) == 0 ? nil : random.int(in: 0..<1000), flag: random.int(in: 0..<2) == 0)
    }
}
