import JSON
import JokesCore
import SQLite

/// A type that is stored in a column as a value of type `Stored`.
protocol StoredAsColumn: ColumnValue {
    associatedtype Stored: ColumnValue
    var stored: Stored { get }
    init?(stored: Stored)
}

extension StoredAsColumn {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        stored.bind(to: statement, at: index)
    }

    package init(column: Int32, of statement: OpaquePointer) throws(ColumnTypeMismatch) {
        guard let value = Self(stored: try Stored(column: column, of: statement)) else { throw ColumnTypeMismatch() }
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

/// The categories of a joke, stored with a line feed between the names. The normalizer removes line feeds from names.
struct CategoryList: StoredAsColumn {
    let names: [String]

    init(_ names: [String]) { self.names = names }

    var stored: String { names.joined(separator: "\n") }
    init?(stored: String) { names = stored.split(separator: "\n").map(String.init) }
}

extension JokeContent {
    /// Reads `Schema.contentColumns`, which begin at column `first` of the row.
    init(row: borrowing Row, from first: Int) throws {
        self.init(
            text: JokeText(setup: try row.read(first), punchline: try row.read(first + 1)),
            language: try row.read(first + 2), categories: try row.read(first + 3, as: CategoryList.self).names,
            flags: try row.read(first + 4), safety: try row.read(first + 5))
        for (index, detail) in JokeDetail.allCases.enumerated() { details[detail] = try row.read(first + 6 + index) }
    }

    /// The values of `Schema.allContentColumns`.
    func columnValues(stated: JokeContent) -> [any ColumnValue] {
        [
            stated.language, stated.safety, text.setup, text.punchline, language, CategoryList(categories), flags,
            safety,
        ] + details.values
    }
}

extension Encodable {
    /// Returns the value as JSON, as which the database stores what no query selects by.
    func stored() throws -> String { String(decoding: try JSONEncoding.encode(self), as: UTF8.self) }
}

extension Decodable {
    /// Reads a stored value; nil if the text is anything else.
    init?(stored text: String?) {
        guard let text, let value = try? JSONDocument(Array(text.utf8)).root.decode(Self.self) else { return nil }
        self = value
    }
}
