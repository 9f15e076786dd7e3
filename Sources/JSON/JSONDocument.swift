/// A JSON text (RFC 8259) and the positions of its values: a flat list in the order of the text, 4 bytes for each value
/// and 8 for a list or an object.
///
/// Strings and numbers are read from the text when they are used. A value and everything in it is skipped in O(1). A
/// byte order mark before the text is ignored.
package final class JSONDocument: Sendable {
    /// The extent of the check before the first value is read.
    package enum Strictness: Sendable {
        /// Everything. U+0000, a lone surrogate, text that is not UTF-8 and more than 128 levels are refused, too.
        case strict
        /// Brackets, commas, colons and quotes, at any depth. An invalid string or number is found when it is read, so
        /// one broken item does not cost the others.
        case structure
    }

    package let bytes: [UInt8]
    let strictness: Strictness
    /// The start of each value and of each name of a member. The start of a list or an object is followed by the number
    /// of the node after everything in it.
    let nodes: [Int32]

    /// Parses a text with at most `maxValues` values and names. O(n), without recursion.
    ///
    /// - Throws: `JSONError` at the first wrong byte.
    package convenience init(
        _ bytes: [UInt8], _ strictness: Strictness = .strict, maxValues: Int = .max
    ) throws(JSONError) {
        var parser = try JSONParser(bytes.span, strictness, maxValues: maxValues)
        while try !parser.parse(bytes.span, upTo: bytes.count) {}
        self.init(bytes, parser)
    }

    /// Parses a text, and lets other work on this thread continue after each 256 kB.
    package convenience init(
        parsingInSteps bytes: [UInt8], _ strictness: Strictness, maxValues: Int
    ) async throws(JSONError) {
        var parser = try JSONParser(bytes.span, strictness, maxValues: maxValues)
        while try !parser.parse(bytes.span, upTo: parser.index + 1 << 18) { await Task.yield() }
        self.init(bytes, parser)
    }

    private init(_ bytes: [UInt8], _ parser: JSONParser) {
        (self.bytes, strictness, nodes) = (bytes, parser.strictness, parser.nodes)
    }

    /// The document `{}`.
    fileprivate init() {
        (bytes, strictness, nodes) = (Array("{}".utf8), .strict, [0, 2])
    }

    package var root: JSONValue { JSONValue(self, 0) }

    /// Returns the node after a value and everything in it. O(1)
    func next(after node: Int) -> Int {
        let first = bytes[Int(nodes[node])]
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? Int(nodes[node + 1]) : node + 1
    }

    /// Returns the value of the first member with a name, in a range of the names and values of an object; nil if there
    /// is none.
    func value(of name: String, in range: Range<Int>) -> Int? {
        let name = name.utf8.span
        var node = range.lowerBound
        while node < range.upperBound {
            if isString(node, name) { return node + 1 }
            node = next(after: node + 1)
        }
        return nil
    }

    /// Returns whether a value is a string with this text, byte by byte.
    func isString(_ node: Int, _ text: borrowing Span<UInt8>) -> Bool {
        var index = Int(nodes[node])
        guard bytes[index] == UInt8(ascii: "\"") else { return false }
        for position in text.indices {
            index += 1
            if bytes[index] == UInt8(ascii: "\\") { return JSONValue(self, node).hasText(text) }
            if bytes[index] != text[position] || bytes[index] == UInt8(ascii: "\"") { return false }
        }
        return bytes[index + 1] == UInt8(ascii: "\"")
    }
}

extension JSONValue {
    /// Returns whether the string, after its escapes are replaced, equals the text.
    fileprivate func hasText(_ text: borrowing Span<UInt8>) -> Bool {
        guard let string else { return false }
        let own = string.utf8.span
        return own.count == text.count && own.indices.allSatisfy { own[$0] == text[$0] }
    }

    /// An object without members.
    package static let emptyObject = JSONDocument().root
}

/// The reason that a text is not the expected JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason for a text with more than `maxValues` values and names.
    package static let tooManyValues = "too many values"

    /// The offset of the error in the text, in bytes.
    package let offset: Int
    /// The path of the value, such as `view.size` or `ids[2]`; empty for the root and for a text that is not JSON.
    package let path: String
    /// A clause without a period. It may quote names of the text.
    package let reason: String

    package init(offset: Int, path: String = "", reason: String) {
        (self.offset, self.path, self.reason) = (offset, path, reason)
    }

    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
