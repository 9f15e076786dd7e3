/// Markup of HTML or XML, from its `<` to its `>`.
package enum Markup: Equatable {
    /// The range has the attributes. `isEmpty` if the tag is its own end tag, as in XML.
    case start(name: String, attributes: Range<Int>, isEmpty: Bool)
    case end(name: String)
    /// The content of a CDATA section. It is text in XML, and no text in HTML.
    case characterData(Range<Int>)
    /// A comment, declaration or processing instruction.
    case comment
}

/// Distinguishes markup from text in HTML and XML. It cannot fail: complete markup is read as in browsers, and incomplete
/// markup is text.
package struct MarkupScanner {
    /// The maximum number of `<` in the quoted attributes of a tag, so that a text full of them takes linear time.
    private static let maxAnglesInAttributes = 16
    private static let maxAttributes = 64

    private let bytes: [UInt8]
    /// True if a search has found no more of these, so that it is not repeated.
    private var hasNoMoreCommentEnds = false
    private var hasNoMoreCDATAEnds = false
    private var hasNoMoreTagEnds = false
    private var hasNoMoreDefinitions = false

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the markup that begins with the `<` at `start`, and the index after it; nil if the `<` is text. The names of
    /// elements are in lowercase.
    package mutating func markup(at start: Int) -> (Markup, end: Int)? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"): return declaration(at: start)
        case UInt8(ascii: "?"): return bogusComment(at: start).map { (.comment, $0) }
        default: return tag(at: start)
        }
    }

    /// Returns the first attributes of a tag, with their names in lowercase and their references resolved. Values may be
    /// in quotes or not, or missing.
    package func attributes(_ range: Range<Int>) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        var rest = bytes[range]
        while attributes.count < Self.maxAttributes {
            rest = rest.drop { $0.isHTMLSpace || $0 == UInt8(ascii: "/") }
            let name = rest.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") }
            rest = rest[name.endIndex...].drop(while: \.isHTMLSpace)
            guard rest.first == UInt8(ascii: "=") else {
                if name.isEmpty { return attributes }
                continue
            }
            rest = rest.dropFirst().drop(while: \.isHTMLSpace)
            let value: ArraySlice<UInt8>
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { !$0.isHTMLSpace }
                rest = rest[value.endIndex...]
            }
            attributes.append(
                (
                    String(decoding: name, as: UTF8.self).lowercased(),
                    String(decoding: value, as: UTF8.self).resolvingReferences
                ))
        }
        return attributes
    }

    /// Returns the index of an element's end tag; the end of the text if there is none.
    func endOfRawText(of element: String, from start: Int) -> Int {
        var index = start
        while let angle = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let name = bytes[angle...].dropFirst(2).prefix(element.utf8.count)
            if bytes[angle...].dropFirst().first == UInt8(ascii: "/"),
                name.lazy.map({ $0 | 0x20 }).elementsEqual(element.utf8)
            {
                return angle
            }
            index = angle + 1
        }
        return bytes.count
    }

    // MARK: Comments

    private mutating func declaration(at start: Int) -> (Markup, end: Int)? {
        let rest = bytes[start...].dropFirst(2)
        if rest.starts(with: "--".utf8) {
            // `<!-->` and `<!--->` are complete.
            if rest.dropFirst(2).first == UInt8(ascii: ">") { return (.comment, start + 5) }
            return end(of: "-->", from: start + 3, &hasNoMoreCommentEnds).map { (.comment, $0) }
        }
        if rest.starts(with: "[CDATA[".utf8) {
            return end(of: "]]>", from: start + 9, &hasNoMoreCDATAEnds).map { (.characterData(start + 9..<$0 - 3), $0) }
        }
        if let end = bogusComment(at: start) {
            // The definitions of a document type in XML: `<!DOCTYPE rss [<!ENTITY nbsp "&#160;">]>`.
            return (.comment, bytes[start..<end].contains(UInt8(ascii: "[")) ? endOfDefinitions(from: end) ?? end : end)
        }
        return nil
    }

    /// Returns the index after the first `>` that follows a `]` and spaces, from the `>` before `end` on.
    private mutating func endOfDefinitions(from end: Int) -> Int? {
        if hasNoMoreDefinitions { return nil }
        var index = end - 1
        while let angle = bytes[index...].firstIndex(of: UInt8(ascii: ">")) {
            if bytes[..<angle].last(where: { !$0.isHTMLSpace }) == UInt8(ascii: "]") { return angle + 1 }
            index = angle + 1
        }
        hasNoMoreDefinitions = true
        return nil
    }

    /// `<!DOCTYPE html>`, `<?xml version="1.0"?>`.
    private mutating func bogusComment(at start: Int) -> Int? {
        guard start + 2 < bytes.count, bytes[start + 2].isASCIILetter else { return nil }
        return end(of: ">", from: start + 2, &hasNoMoreTagEnds)
    }

    private func end(of closing: StaticString, from start: Int, _ hasNoMore: inout Bool) -> Int? {
        if hasNoMore { return nil }
        return closing.withUTF8Buffer { closing in
            var index = start
            while let last = bytes[min(index, bytes.count)...].firstIndex(of: UInt8(ascii: ">")) {
                if last + 1 - start >= closing.count, bytes[(last + 1 - closing.count)...last].elementsEqual(closing) {
                    return last + 1
                }
                index = last + 1
            }
            hasNoMore = true
            return nil
        }
    }

    // MARK: Tags

    private func tag(at start: Int) -> (Markup, end: Int)? {
        let isEnd = bytes[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        guard nameStart < bytes.count, bytes[nameStart].isASCIILetter,
            let nameEnd = bytes[nameStart...].firstIndex(where: { !$0.isInHTMLName }), bytes[nameEnd].endsHTMLName,
            bytes[nameEnd - 1] != UInt8(ascii: ":"), let end = endOfAttributes(from: nameEnd)
        else { return nil }
        let name = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self).lowercased()
        if isEnd { return (.end(name: name), end) }
        let isEmpty = bytes[end - 2] == UInt8(ascii: "/")
        return (.start(name: name, attributes: nameEnd..<end - 1, isEmpty: isEmpty), end)
    }

    /// Returns the index after the `>` of the tag.
    private func endOfAttributes(from start: Int) -> Int? {
        var isValueNext = false
        var angles = 0
        var quote: UInt8?
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") {
                angles += 1
                if quote == nil || angles > Self.maxAnglesInAttributes { return nil }
            } else if let opening = quote {
                if byte == opening { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if isValueNext && (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) {
                (quote, isValueNext) = (byte, false)
            } else if !byte.isHTMLSpace {
                isValueNext = byte == UInt8(ascii: "=")
            }
        }
        return nil
    }
}

extension UInt8 {
    /// True if it is ASCII whitespace of HTML.
    var isHTMLSpace: Bool {
        self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B
    }

    /// True if it occurs in names of elements. An address in angle brackets has other characters.
    fileprivate var isInHTMLName: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ":") || self == UInt8(ascii: "_")
    }

    fileprivate var endsHTMLName: Bool {
        isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">")
    }
}
