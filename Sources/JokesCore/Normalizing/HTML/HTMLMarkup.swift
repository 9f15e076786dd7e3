/// The markup after a `<` in HTML.
enum HTMLMarkup: Equatable {
    /// The name of the element is in lowercase.
    case tag(name: String, isEnd: Bool)
    /// A comment or declaration, which is removed.
    case comment
}

/// Distinguishes markup from text. Complete markup is read as in browsers, and incomplete markup is text.
struct HTMLMarkupScanner {
    /// The maximum number of `<` in the quoted attributes of a tag, so that a text full of them takes linear time.
    private static let maxAnglesInAttributes = 16

    private let bytes: [UInt8]
    /// True if a search has found no more of these, so that it is not repeated.
    private var hasNoMoreCommentEnds = false
    private var hasNoMoreCDATAEnds = false
    private var hasNoMoreTagEnds = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the markup that begins with the `<` at `start`, and the index after it; nil if the `<` is text.
    mutating func markup(at start: Int) -> (HTMLMarkup, end: Int)? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"): return declaration(at: start).map { (.comment, $0) }
        case UInt8(ascii: "?"): return bogusComment(at: start).map { (.comment, $0) }
        default: return tag(at: start)
        }
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

    private mutating func declaration(at start: Int) -> Int? {
        let rest = bytes[start...].dropFirst(2)
        if rest.starts(with: "--".utf8) {
            // `<!-->` and `<!--->` are complete.
            if rest.dropFirst(2).first == UInt8(ascii: ">") { return start + 5 }
            return end(of: "-->", from: start + 3, &hasNoMoreCommentEnds)
        }
        if rest.starts(with: "[CDATA[".utf8) { return end(of: "]]>", from: start + 9, &hasNoMoreCDATAEnds) }
        return bogusComment(at: start)
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

    private func tag(at start: Int) -> (HTMLMarkup, end: Int)? {
        let isEnd = bytes[start + 1] == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        guard nameStart < bytes.count, bytes[nameStart].isASCIILetter,
            let nameEnd = bytes[nameStart...].firstIndex(where: { !$0.isInHTMLName }), bytes[nameEnd].endsHTMLName,
            bytes[nameEnd - 1] != UInt8(ascii: ":"), let end = endOfAttributes(from: nameEnd)
        else { return nil }
        let name = String(decoding: bytes[nameStart..<nameEnd], as: UTF8.self).lowercased()
        return (.tag(name: name, isEnd: isEnd), end)
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
