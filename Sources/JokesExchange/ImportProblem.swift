/// The reason for refusing a file, and the position of the problem.
package struct ImportProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// The character in the line, from 1.
    package let column: Int
    /// A phrase, which may quote names from the file.
    package let reason: String

    /// A problem at an index of the file's bytes. O(n)
    init(_ reason: String, at index: Int, of bytes: [UInt8]) {
        let before = bytes[..<min(index, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        // A character of UTF-8 has one byte that is no continuation.
        column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
        self.reason = reason
    }

    package var description: String {
        "line \(line), column \(column): \(reason)"
    }
}

/// Why a record of a file is refused, and the offset of the record in bytes.
struct RefusedRecord: Error {
    let offset: Int
    let reason: String
}
