import JokesCore

/// How the content of an element is made one text.
enum XMLContent {
    /// It is text; elements in it are passed over, and what they hold stays.
    case plain
    /// It is HTML, escaped once more. Elements that somebody forgot to escape count as if they were.
    case html
    /// It is made of elements, and written down as HTML.
    case xhtml
}

extension XMLReader {
    /// The root, and with it all that comes before it.
    mutating func root() throws(XMLError) -> XMLElement {
        guard case .start(let root)? = try next() else { throw failure("the document has no element") }
        return root
    }

    /// Makes sure that nothing follows the root, whose end was read.
    mutating func finish() throws(XMLError) {
        while try next() != nil {}
    }

    /// The next element that is a child of the one just entered; nil once that has ended. A child must be read to its
    /// end, by any of these, before the next is asked for.
    mutating func nextChild() throws(XMLError) -> XMLElement? {
        while let event = try next() {
            switch event {
            case .start(let child): return child
            case .end: return nil
            case .text: break
            }
        }
        return nil
    }

    /// Reads the element just entered to its end, and drops it.
    mutating func skipElement() throws(XMLError) {
        var depth = 1
        while depth > 0, let event = try next() {
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text: break
            }
        }
    }

    /// Reads the element just entered to its end, and has its content as text or, but for plain one, as HTML.
    ///
    /// What is longer than the raw text of a joke may be is left out, and noted in `hasLeftOut`.
    mutating func content(_ kind: XMLContent) throws(XMLError) -> String {
        var content = ""
        var names: [String] = []
        while let event = try next() {
            switch event {
            case .start(let element):
                names.append(element.name.local)
                if kind != .plain { append("<\(element.name.local)>", to: &content) }
            case .text(let text):
                // What is too long as it is need not be escaped.
                let isXHTML = kind == .xhtml && text.utf8.count <= Normalizer.longestRawText
                append(isXHTML ? escaped(text) : text, to: &content)
            case .end:
                guard let name = names.popLast() else { return content }
                // HTML would take the end of a break for another one.
                if kind != .plain && name != "br" { append("</\(name)>", to: &content) }
            }
        }
        return content
    }

    private mutating func append(_ text: String, to content: inout String) {
        if content.utf8.count + text.utf8.count <= Normalizer.longestRawText {
            content += text
        } else {
            hasLeftOut = true
        }
    }

    private func escaped(_ text: String) -> String {
        text.utf8.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }
            ? text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
                .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
            : text
    }
}
