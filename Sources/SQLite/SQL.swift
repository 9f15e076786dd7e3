/// An SQL text with the values of its parameters.
///
/// An interpolated value becomes a parameter: `"key < \(bound)"` has the text `key < ?` and one value. An interpolated
/// `SQL` keeps its values. `\(text: columns)` is part of the text, so it must not contain user input.
package struct SQL: ExpressibleByStringInterpolation {
    private(set) var text: String
    /// The values, in the order of their parameters in the text.
    private(set) var values: [any ColumnValue] = []

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    package static func += (sql: inout SQL, addition: SQL) {
        sql.text += addition.text
        sql.values += addition.values
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            // Twice as much, for the text and the values of an inserted `SQL`.
            sql.text.reserveCapacity(literalCapacity * 2)
            sql.values.reserveCapacity(interpolationCount * 2)
        }

        package mutating func appendLiteral(_ literal: String) { sql.text += literal }

        package mutating func appendInterpolation(_ value: some ColumnValue) {
            sql.text += "?"
            sql.values.append(value)
        }

        package mutating func appendInterpolation(_ part: SQL) { sql += part }

        package mutating func appendInterpolation(text: String) { sql.text += text }
    }
}

extension Connection {
    /// Runs a query, and returns the results of the closure for all rows.
    package func map<Result>(_ query: SQL, transform: (borrowing Row) throws -> Result) throws -> [Result] {
        try prepare(query.text).map(binding: query.values, transform: transform)
    }

    /// Runs a query until the closure returns a result that is not nil, and returns the result; nil if there is none.
    package func first<Result>(_ query: SQL, transform: (borrowing Row) throws -> Result?) throws -> Result? {
        try prepare(query.text).first(binding: query.values, transform: transform)
    }
}
