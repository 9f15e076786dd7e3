/// A value of a JSON5 text and its range, as an editor needs it. All indices are indices of scalars.
struct JSON5Outline {
    /// An element of a list, or a member of an object.
    struct Child {
        /// Nil for an element.
        let key: String?
        /// The start of the key, or of the element.
        let start: Int
        let value: JSON5Outline
        /// The index of the comma after it; nil if there is none.
        var comma: Int?

        /// The end of the value, or of the comma after it.
        var end: Int { comma.map { $0 + 1 } ?? value.range.upperBound }
    }

    private(set) var range: Range<Int>
    /// Nil for a value that is neither a list nor an object.
    private(set) var children: [Child]?
    private(set) var isObject = false
    /// The end of the last comment between the last child, or the opening bracket, and the closing bracket.
    private(set) var lastCommentEnd: Int?

    /// Reads a text that `JSON5Reader` has accepted.
    static func read(_ text: String) throws(JSON5Reader.SyntaxError) -> JSON5Outline {
        var scanner = JSON5Scanner(text)
        _ = try skipBlank(&scanner)
        return try read(&scanner)
    }

    private static func read(_ scanner: inout JSON5Scanner) throws(JSON5Reader.SyntaxError) -> JSON5Outline {
        let start = scanner.position
        var outline = JSON5Outline(range: start..<start)
        switch scanner.next {
        case "{": try outline.readChildren(&scanner, isObject: true)
        case "[": try outline.readChildren(&scanner, isObject: false)
        case "\"", "'": _ = try scanner.string()
        case let first? where first.properties.isIDStart: _ = scanner.takeWord()
        default: _ = try scanner.number()
        }
        outline.range = start..<scanner.position
        return outline
    }

    private mutating func readChildren(
        _ scanner: inout JSON5Scanner, isObject: Bool
    ) throws(JSON5Reader.SyntaxError) {
        self.isObject = isObject
        var found: [Child] = []
        scanner.advance()
        while true {
            lastCommentEnd = try Self.skipBlank(&scanner)
            if scanner.take(isObject ? "}" : "]") { break }
            let start = scanner.position
            let key = isObject ? try Self.key(&scanner) : nil
            var child = Child(key: key, start: start, value: try Self.read(&scanner))
            // A comment before the comma is not the last one, unless there is no comma.
            lastCommentEnd = try Self.skipBlank(&scanner)
            if scanner.next == "," {
                child.comma = scanner.position
                scanner.advance()
            }
            found.append(child)
            if child.comma == nil {
                _ = scanner.take(isObject ? "}" : "]")
                break
            }
        }
        children = found
    }

    /// Reads a key, the colon, and the blank before the value.
    private static func key(_ scanner: inout JSON5Scanner) throws(JSON5Reader.SyntaxError) -> String {
        let key = scanner.next == "\"" || scanner.next == "'" ? try scanner.string() : scanner.takeWord()
        _ = try skipBlank(&scanner)
        _ = scanner.take(":")
        _ = try skipBlank(&scanner)
        return key
    }

    /// Returns the end of the last comment; nil if there is none.
    private static func skipBlank(_ scanner: inout JSON5Scanner) throws(JSON5Reader.SyntaxError) -> Int? {
        var end: Int?
        while let scalar = scanner.next {
            if scalar == "/" {
                try scanner.skipComment()
                end = scanner.position
            } else if scalar.isJSON5Space {
                scanner.advance()
            } else {
                break
            }
        }
        return end
    }
}
