/// Reads JSON5 (https://spec.json5.org) into values with their places, by recursive descent (docs/decisions/0001).
package struct JSON5Reader {
    package struct SyntaxError: Error, Hashable {
        /// From 1.
        package let line: Int
        /// Without control characters.
        package let message: String
    }

    /// The maximum number of nested lists and objects.
    private static let maxDepth = 64

    private var scanner: JSON5Scanner
    private var depth = 0

    /// Reads a text with one value. O(n).
    package static func read(_ text: String) throws(SyntaxError) -> LocatedJSON {
        var reader = JSON5Reader(scanner: JSON5Scanner(text))
        let value = try reader.value()
        try reader.scanner.skipBlank()
        guard reader.scanner.isAtEnd else {
            throw reader.scanner.error("expected the end of the file, found \(reader.scanner.here)")
        }
        return value
    }

    private mutating func value() throws(SyntaxError) -> LocatedJSON {
        try scanner.skipBlank()
        let (line, start) = (scanner.line, scanner.position)
        var commentEnd: Int?
        let value = try plainValue(&commentEnd)
        return LocatedJSON(line: line, value: value, range: start..<scanner.position, lastCommentEnd: commentEnd)
    }

    private mutating func plainValue(_ commentEnd: inout Int?) throws(SyntaxError) -> LocatedJSON.Value {
        switch scanner.next {
        case "{": return .object(try object(&commentEnd))
        case "[": return .array(try array(&commentEnd))
        case "\"", "'": return .string(try scanner.string())
        case "+", "-", ".": return .number(try scanner.number())
        case let digit? where digit.isDecimalDigit: return .number(try scanner.number())
        default: return try word()
        }
    }

    private mutating func word() throws(SyntaxError) -> LocatedJSON.Value {
        let here = scanner.here
        switch scanner.takeWord() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case "": throw scanner.error("expected a value, found \(here)")
        case let word: throw scanner.error("\(quoteUnlessLong(word)) is not valid here: put text in quotes")
        }
    }

    private mutating func array(_ commentEnd: inout Int?) throws(SyntaxError) -> [LocatedJSON] {
        try open()
        var elements: [LocatedJSON] = []
        while try !close(with: "]", &commentEnd) {
            var element = try value()
            element.comma = try separate(before: "]", &commentEnd)
            elements.append(element)
        }
        return elements
    }

    private mutating func object(_ commentEnd: inout Int?) throws(SyntaxError) -> [LocatedJSON.Member] {
        try open()
        var members: [LocatedJSON.Member] = []
        while try !close(with: "}", &commentEnd) {
            let (line, start) = (scanner.line, scanner.position)
            let key = try key()
            try scanner.skipBlank()
            guard scanner.take(":") else {
                throw scanner.error("expected ':' after key \(quote(key)), found \(scanner.here)")
            }
            var value = try value()
            value.comma = try separate(before: "}", &commentEnd)
            members.append(LocatedJSON.Member(key: key, line: line, start: start, value: value))
        }
        return members
    }

    private mutating func key() throws(SyntaxError) -> String {
        if scanner.next == "\"" || scanner.next == "'" { return try scanner.string() }
        let here = scanner.here
        let word = scanner.takeWord()
        if word.isEmpty { throw scanner.error("expected a key or '}', found \(here)") }
        return word
    }

    private mutating func open() throws(SyntaxError) {
        depth += 1
        guard depth <= Self.maxDepth else { throw scanner.error("nested more than \(Self.maxDepth) levels deep") }
        scanner.advance()
    }

    private mutating func close(
        with end: Unicode.Scalar, _ commentEnd: inout Int?
    ) throws(SyntaxError) -> Bool {
        commentEnd = try scanner.skipBlank() ?? commentEnd
        guard scanner.take(end) else { return false }
        depth -= 1
        return true
    }

    /// Returns the index of the comma after a value; nil if the list or the object ends.
    private mutating func separate(
        before end: Unicode.Scalar, _ commentEnd: inout Int?
    ) throws(SyntaxError) -> Int? {
        commentEnd = try scanner.skipBlank()
        let comma = scanner.position
        if scanner.take(",") {
            commentEnd = nil
            return comma
        }
        if scanner.next == end { return nil }
        throw scanner.error("expected ',' or '\(end)', found \(scanner.here)")
    }
}
