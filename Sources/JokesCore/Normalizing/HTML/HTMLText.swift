/// Returns the text of HTML, with resolved character references, and without tags, comments, scripts and styles.
///
/// `<br>` and the ends of blocks become line feeds, and a paragraph has empty lines around it. If there are such tags,
/// line feeds of the source are spaces, as in HTML; otherwise they stay. Incomplete tags, comments and references are
/// text: `a < b`, `<3`, `AT&T`. A text without `<` and `&` stays unchanged. Not idempotent: `&amp;lt;` becomes `&lt;`. The
/// text is not longer than the HTML, except for `CharacterReference.text`. It is not clean: a reference can be to an invisible
/// character. O(n)
package func plainText(ofHTML html: String) -> String {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
    let bytes = Array(html.utf8)
    var reader = HTMLTextReader(bytes, collapsesSpace: false)
    reader.read()
    if reader.hasLines {
        reader = HTMLTextReader(bytes, collapsesSpace: true)
        reader.read()
    }
    return String(decoding: reader.text, as: UTF8.self)
}

private struct HTMLTextReader {
    /// UTF-8.
    private(set) var text: [UInt8] = []
    /// True if a tag ends lines.
    private(set) var hasLines = false

    private let bytes: [UInt8]
    private let collapsesSpace: Bool
    private var markup: HTMLMarkupScanner
    private var index = 0
    private var openPreformatted = 0

    init(_ bytes: [UInt8], collapsesSpace: Bool) {
        (self.bytes, self.collapsesSpace) = (bytes, collapsesSpace)
        markup = HTMLMarkupScanner(bytes)
        text.reserveCapacity(bytes.count)
    }

    mutating func read() {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&"), let reference = CharacterReference(in: bytes, at: index) {
                text.append(contentsOf: reference.text.utf8)
                index = reference.end
            } else if byte == UInt8(ascii: "<"), let (markup, end) = markup.markup(at: index) {
                index = end
                if case .tag(let name, let isEnd) = markup { apply(name, isEnd: isEnd) }
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
    case lineBreak
    case cell
    case block(lineEnds: Int)
    /// Its content is not text.
    case hidden

    init(_ name: String) {
        switch name {
        case "br": self = .lineBreak
        case "td", "th": self = .cell
        case "script", "style": self = .hidden
        case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "dl", "pre", "table", "hr", "figure":
            self = .block(lineEnds: 2)
        case "div", "li", "tr", "dt", "dd", "section", "article", "header", "footer", "aside", "main", "nav", "address",
            "figcaption", "form", "fieldset", "details", "summary", "option", "caption", "body", "html", "head",
            "title", "center":
            self = .block(lineEnds: 1)
        default: self = .inline
        }
    }
}
