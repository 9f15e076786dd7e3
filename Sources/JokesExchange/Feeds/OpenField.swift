import JokesCore

/// How the content of an element is read.
enum FeedContent {
    /// Text. Tags are dropped, and their content stays.
    case plain
    /// Escaped HTML. Elements that are not escaped are treated as if they were.
    case html
    /// Elements, which are written as HTML.
    case xhtml
    /// HTML in Base64, as Atom 0.3 has it.
    case base64
    /// Not for a joke.
    case none

    /// The content of a text of RSS or Atom; nil if it is no text. Without a type, it is HTML, as servers send it, although
    /// the specification of Atom says plain text.
    init?(type: String?, mode: String?, of field: FeedField) {
        let type = type?.split(separator: ";").first.map { $0.lowercased().trimmed } ?? ""
        switch type {
        case _ where mode?.lowercased() == "base64" && (type.hasPrefix("text/") || !type.contains("/")): self = .base64
        case _ where field == .text(rank: 2): self = .xhtml
        case "xhtml", "application/xhtml+xml", "text/xml", "application/xml": self = .xhtml
        case "text/html" where mode?.lowercased() == "xml": self = .xhtml
        case "", "html", "text/html": self = .html
        case "application/octet-stream" where field == .title(rank: 0): self = .base64
        case let other where other.hasPrefix("text") || !other.contains("/"): self = .plain
        case _ where field == .title(rank: 0): self = .html
        default: return nil
        }
    }
}

/// A field of a feed or an item whose end tag has not come.
struct OpenField {
    let field: FeedField
    /// The name of the element, with its prefix.
    let name: String
    /// The number of open elements of the same name in it.
    private(set) var depth = 0
    let base: String
    let language: String?
    var isPermalink = false
    private let content: FeedContent
    private var bytes: [UInt8] = []

    /// True if it is the title or the text of an item.
    var isText: Bool {
        switch field {
        case .title, .text: true
        default: false
        }
    }

    init(_ field: FeedField, _ name: String, _ content: FeedContent, base: String, language: String? = nil) {
        (self.field, self.name, self.content, self.base, self.language) = (field, name, content, base, language)
    }

    /// Appends a part of the document. The references of XHTML are those of HTML, and are resolved with its tags.
    mutating func append(_ range: Range<Int>, of document: [UInt8]) {
        switch content {
        case .none: break
        case .xhtml: bytes += document[range]
        case .plain, .html, .base64: resolveReferences(of: document, in: range, to: &bytes)
        }
    }

    mutating func append(characterData text: ArraySlice<UInt8>) {
        guard content == .xhtml else {
            if content != .none { bytes += text }
            return
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            default: bytes.append(byte)
            }
        }
    }

    mutating func start(_ name: String, isSame: Bool) {
        if isSame { depth += 1 }
        append(tag: "<", name)
    }

    mutating func end(_ name: String, isSame: Bool) {
        if isSame { depth -= 1 }
        // In HTML, the end tag of a break would be another break.
        if name.split(separator: ":").last != "br" { append(tag: "</", name) }
    }

    private mutating func append(tag start: String, _ name: String) {
        guard content == .html || content == .xhtml else { return }
        bytes += Array("\(start)\(name.split(separator: ":").last ?? "")>".utf8)
    }

    // MARK: The value

    /// The clean text; nil if there is none. The outer value is nil if the text is too long for a joke.
    var text: String?? {
        switch content {
        case .none: .some(nil)
        case .plain:
            bytes.count > Normalizer.maxRawBytes
                ? .none : feedText(String(decoding: bytes, as: UTF8.self), mayBeHTML: false)
        case .html: feedText(ofHTML: bytes)
        case .xhtml: feedText(ofHTML: bytes, mayBeEscapedTwice: false)
        case .base64: feedText(ofHTML: decodedBase64(bytes))
        }
    }

    /// The text of a short field. Of a longer one, only the beginning.
    var line: String { String(decoding: bytes.prefix(4096), as: UTF8.self).trimmed }

    /// The name in `<name>Ada</name>`, else the address in `<email>`, else the name in `ada@jokes.example (Ada)`, else all
    /// of the text.
    var person: String? {
        let html = line
        for tag in ["name", "email"] {
            if let start = html.firstRange(of: "<\(tag)>")?.upperBound,
                let end = html[start...].firstRange(of: "</\(tag)>")?.lowerBound,
                let name = cleanText(plainText(ofHTML: String(html[start..<end]))).nonEmpty
            {
                return name
            }
        }
        let text = cleanText(plainText(ofHTML: html))
        guard text.last == ")", let start = text.firstIndex(of: "(") else { return text.nonEmpty }
        return String(text[text.index(after: start)...].dropLast()).trimmed.nonEmpty
    }

    /// The flag of a rating that is not for everyone; nil for other ratings.
    var flag: String? {
        let rating = line.lowercased()
        if name.hasSuffix("explicit") { return ["true", "yes", "explicit"].contains(rating) ? "explicit" : nil }
        return rating == "adult" || rating == "true" && name.hasSuffix("adult") ? "nsfw" : nil
    }
}

/// Decodes Base64 (RFC 4648), and ignores bytes that are not in its alphabet.
private func decodedBase64(_ text: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (decoded, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in text {
        guard let digit = alphabet.firstIndex(of: byte) else { continue }
        (bits, count) = (bits << 6 | UInt32(digit), count + 6)
        if count >= 8 {
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return decoded
}
