import TextLayout
import Unix

/// A JSON5 value with its place in a text, for messages and edits. Indices are those of scalars.
///
/// Equal values may have different places.
package struct LocatedJSON: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([LocatedJSON])
        /// In the order of the file. A duplicate key is kept.
        case object([Member])
    }

    /// A key of an object and its value.
    package struct Member: Equatable, Sendable {
        package let key: String
        /// The line of the key, from 1.
        package let line: Int
        /// The start of the key.
        let start: Int
        package let value: LocatedJSON

        package static func == (one: Member, other: Member) -> Bool { one.key == other.key && one.value == other.value }
    }

    /// The first line of the value, from 1.
    package let line: Int
    package internal(set) var value: Value
    let range: Range<Int>
    /// Of a list or an object: the end of the last comment between its last value, or the opening bracket, and the closing
    /// bracket.
    let lastCommentEnd: Int?
    /// The comma after it, if it is in a list or an object that has one there.
    var comma: Int?

    init(line: Int, value: Value, range: Range<Int>, lastCommentEnd: Int?) {
        (self.line, self.value, self.range, self.lastCommentEnd) = (line, value, range, lastCommentEnd)
    }

    package static func == (one: LocatedJSON, other: LocatedJSON) -> Bool {
        guard case (.number(let first), .number(let second)) = (one.value, other.value) else {
            return one.value == other.value
        }
        // NaN equals itself.
        return first.bitPattern == second.bitPattern
    }
}

extension LocatedJSON {
    /// An element of a list, or a member of an object.
    typealias Child = (key: String?, start: Int, value: LocatedJSON)

    /// Nil for a value that is neither a list nor an object.
    var children: [Child]? {
        switch value {
        case .array(let elements): elements.map { (nil, $0.range.lowerBound, $0) }
        case .object(let members): members.map { ($0.key, $0.start, $0.value) }
        default: nil
        }
    }

    var isObject: Bool { members != nil }

    /// The end of the value, or of the comma after it.
    var end: Int { comma.map { $0 + 1 } ?? range.upperBound }

    /// The maximum size of a configuration file in bytes.
    private static let maxFileSize = 1_000_000

    /// Returns the bytes of a configuration file.
    ///
    /// - Throws: `ConfigurationError.unreadable`.
    package static func bytes(ofFile path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(SystemError) {
            if isNamedPipe(path) { throw SystemError("read", path, code: SystemError.notRegularFile) }
            return try contentsOfFile(path, limit: maxFileSize)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Reads JSON5 in UTF-8. `file` is the name of the file in messages. O(n).
    ///
    /// - Throws: `ConfigurationError.invalid` with the first syntax error.
    package init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
        func failure(_ line: Int, _ message: String) -> ConfigurationError {
            .mistakes([ConfigurationError.Problem(line: line, keyPath: "", message: message)], in: file)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(Self.firstInvalidLine(of: bytes), "the file is not UTF-8 text")
        }
        do throws(JSON5Reader.SyntaxError) {
            self = try JSON5Reader.read(text)
        } catch {
            throw failure(error.line, error.message)
        }
    }

    private static func firstInvalidLine(of bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
    }

    /// Returns the first value of a key; nil if this is not an object or has no such key.
    package subscript(key: String) -> LocatedJSON? {
        members?.first { $0.key == key }?.value
    }

    /// The elements of a list; nil for other values.
    package var elements: [LocatedJSON]? {
        if case .array(let elements) = value { elements } else { nil }
    }

    /// The members of an object; nil for other values.
    package var members: [Member]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// The text; nil for other values.
    package var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The value in one line for a message, without control characters.
    package var quoted: String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .string(let text): quote(text)
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// Returns an unexpected word for a message. A long word is not quoted, because it may be a secret without quotes.
func quoteUnlessLong(_ word: String) -> String { word.unicodeScalars.count <= 8 ? quote(word) : "the value" }

/// Returns the text in single quotes, shortened, with invisible characters escaped.
package func quote(_ text: String) -> String {
    let shown = text.prefix(60)
    let escaped = shown.unicodeScalars.map { scalar in
        switch scalar {
        case "'": "\\'"
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\t": "\\t"
        case _ where scalar.isPlain: String(scalar)
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
    return "'\(escaped.joined())\(shown.endIndex < text.endIndex ? "…" : "")'"
}

/// Returns the end of an error message about an unknown word: the most similar known word, or all of them.
package func suggestion(for word: String, among words: [String]) -> String {
    if let meant = nearest(to: word, among: words) { return ": did you mean \(quote(meant))?" }
    return ": use one of " + words.sorted().joined(separator: ", ")
}

extension Unicode.Scalar {
    /// False for control and format characters (ESC, U+202E), line ends, and code points without a character.
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
