import JokesCore
import SQLite

/// A type of the domain that is stored as one of SQLite's types.
protocol StoredAsColumn: ColumnValue {
    associatedtype Stored: ColumnValue
    var stored: Stored { get }
    init?(stored: Stored)
}

extension StoredAsColumn {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        stored.bind(to: statement, at: index)
    }

    package init(column: Int32, of statement: OpaquePointer) throws(OtherType) {
        guard let value = Self(stored: try Stored(column: column, of: statement)) else { throw OtherType() }
        self = value
    }
}

extension Timestamp: StoredAsColumn {
    var stored: Int64 { microseconds }
    init?(stored: Int64) { self.init(microseconds: stored) }
}

extension Fingerprint: StoredAsColumn {
    var stored: [UInt8] { bytes }
    init?(stored: [UInt8]) { self.init(bytes: stored) }
}

extension JokeID: StoredAsColumn {
    var stored: String { rawValue }
    init?(stored: String) { self.init(rawValue: stored) }
}

extension Safety: StoredAsColumn {
    var stored: String { rawValue }
    init?(stored: String) { self.init(rawValue: stored) }
}

extension JokeFlags: StoredAsColumn {
    var stored: Int { Int(rawValue) }

    init?(stored: Int) {
        guard let bits = UInt8(exactly: stored) else { return nil }
        self.init(rawValue: bits)
    }
}

/// The categories of a joke, stored one a line: the normaliser leaves no line feed in them.
struct CategoryList: StoredAsColumn {
    var names: [String]

    init(_ names: [String]) {
        self.names = names
    }

    var stored: String { names.joined(separator: "\n") }
    init?(stored: String) { names = stored.split(separator: "\n").map(String.init) }
}

extension JokeContent {
    /// Reads `Schema.contentColumns`, the first of which is the row's column `first`.
    init(row: borrowing Row, from first: Int) throws {
        let setup: String = try row.read(first)
        let punchline: String? = try row.read(first + 1)
        self.init(
            text: JokeText(setup: setup, punchline: punchline),
            language: try row.read(first + 2), categories: try row.read(first + 3, as: CategoryList.self).names,
            flags: try row.read(first + 4), safety: try row.read(first + 5), url: try row.read(first + 6),
            author: try row.read(first + 7), upstreamDate: try row.read(first + 8))
    }
}
