/// Returns the text of HTML, with resolved character references, and without tags, comments, scripts and styles.
///
/// `<br>` and the ends of blocks become line feeds, and a paragraph has empty lines around it. If there are such tags,
/// line feeds of the source are spaces, as in HTML; otherwise they stay. Incomplete tags, comments and references are
/// text: `a < b`, `<3`, `AT&T`. A text without `<` and `&` stays unchanged. Not idempotent: `&amp;lt;` becomes `&lt;`. The
/// text is not longer than the HTML, but for `CharacterReference.text`. It is not clean: a reference can be to an invisible
/// character. O(n)
package func plainText(ofHTML html: String) -> String {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
    return plainText(ofHTML: Array(html.utf8), atMost: .max) ?? ""
}

/// Returns the text of HTML in UTF-8, as the other function; nil if the text has more than `limit` bytes. Tags do not count.
package func plainText(ofHTML html: [UInt8], atMost limit: Int) -> String? {
    guard html.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
        return html.count > limit ? nil : String(decoding: html, as: UTF8.self)
    }
    var reader = HTMLTextReader(html, collapsesSpace: true, limit: limit)
    reader.read()
    if !reader.hasLines && !reader.isOverLimit {
        reader = HTMLTextReader(html, collapsesSpace: false, limit: limit)
        reader.read()
    }
    return reader.isOverLimit ? nil : String(decoding: reader.text, as: UTF8.self)
}

private struct HTMLTextReader {
    /// UTF-8.
    private(set) var text: [UInt8] = []
    /// True if a tag ends lines.
    private(set) var hasLines = false
    var isOverLimit: Bool { text.count > limit }

    private let bytes: [UInt8]
    private let collapsesSpace: Bool
    private let limit: Int
    private var markup: MarkupScanner
    private var index = 0
    private var openPreformatted = 0

    init(_ bytes: [UInt8], collapsesSpace: Bool, limit: Int) {
        (self.bytes, self.collapsesSpace, self.limit) = (bytes, collapsesSpace, limit)
        markup = MarkupScanner(bytes)
        text.reserveCapacity(min(bytes.count, limit))
    }

    mutating func read() {
        while index < bytes.count && !isOverLimit {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&"), let reference = CharacterReference(in: bytes, at: index) {
                text.append(contentsOf: reference.text.utf8)
                index = reference.end
            } else if byte == UInt8(ascii: "<"), let (markup, end) = markup.markup(at: index) {
                index = end
                switch markup {
                case .start(let name, _, _): apply(name, isEnd: false)
                case .end(let name): apply(name, isEnd: true)
                case .characterData, .comment: break
                }
            } else {
                index += 1
                append(byte)
            }
        }
    }

    private mutating func append(_ byte: UInt8) {
        if byte.isHTMLSpace && collapsesSpace && openPreformatted == 0 {
            separateWords()
        } else {
            text.append(byte)
        }
    }

    private mutating func separateWords() {
        if let last = text.last, last != 0x20 && last != 0x0A { text.append(0x20) }
    }

    private mutating func apply(_ element: String, isEnd: Bool) {
        switch HTMLElement(element) {
        case .inline: break
        case .quotation: text += Array((isEnd ? "”" : "“").utf8)
        case .lineBreak:
            hasLines = true
            text.append(0x0A)
        case .cell: separateWords()
        case .block(let lineEnds):
            endLines(lineEnds)
            if element == "pre" { openPreformatted = max(0, openPreformatted + (isEnd ? -1 : 1)) }
        case .hidden:
            if !isEnd { index = markup.endOfRawText(of: element, from: index) }
        }
    }

    /// Appends line ends up to a number of them, unless the text is empty.
    private mutating func endLines(_ count: Int) {
        hasLines = true
        if text.isEmpty { return }
        let present = text.suffix(count).reversed().prefix { $0 == 0x0A }.count
        for _ in present..<count { text.append(0x0A) }
    }
}

/// The effect of an element on the text around it.
private enum HTMLElement {
    case inline
    /// It is in quotes.
    case quotation
    case lineBreak
    case cell
    case block(lineEnds: Int)
    /// Its content is not text.
    case hidden

    init(_ name: String) {
        switch name {
        case "br": self = .lineBreak
        case "td", "th": self = .cell
        case "q": self = .quotation
        case "script", "style", "head", "template": self = .hidden
        case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "pre", "table", "hr", "figure":
            self = .block(lineEnds: 2)
        case "div", "li", "tr", "dt", "dd", "section", "article", "header", "footer", "aside", "main", "nav", "address",
            "figcaption", "form", "fieldset", "details", "summary", "option", "caption", "body", "html",
            "title", "center":
            self = .block(lineEnds: 1)
        default: self = .inline
        }
    }
}

/// Appends a part of a text with its character references resolved, and nothing else changed. O(length)
package func resolveReferences(of text: [UInt8], in range: Range<Int>, to resolved: inout [UInt8]) {
    var index = range.lowerBound
    while let ampersand = text[index..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) {
        resolved += text[index..<ampersand]
        if let reference = CharacterReference(in: text, at: ampersand), reference.end <= range.upperBound {
            resolved += Array(reference.text.utf8)
            index = reference.end
        } else {
            resolved.append(text[ampersand])
            index = ampersand + 1
        }
    }
    resolved += text[index..<range.upperBound]
}

extension String {
    /// The text with its character references resolved, and nothing else changed.
    package var resolvingReferences: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        var resolved: [UInt8] = []
        resolveReferences(of: Array(utf8), in: 0..<utf8.count, to: &resolved)
        return String(decoding: resolved, as: UTF8.self)
    }
}
