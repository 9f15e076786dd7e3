import JokesCore

/// The type of the content of an element.
enum XMLContent {
    /// Text. Tags are dropped, and their content stays.
    case plain
    /// Escaped HTML. Elements that are not escaped are treated as if they were.
    case html
    /// Elements, which are written as HTML.
    case xhtml
}

extension XMLReader {
    /// Reads the start of the root element, and everything before it.
    mutating func root() throws(XMLError) -> XMLElement {
        guard let root = try nextChild() else { throw failure("the document has no element") }
        return root
    }

    /// Checks that nothing follows the root.
    mutating func finish() throws(XMLError) { while try next() != nil {} }

    /// Returns the next child of the current element; nil at its end. The last child must be read to its end before.
    mutating func nextChild() throws(XMLError) -> XMLElement? {
        while let event = try next() {
            if case .start(let child) = event { return child }
            if case .end = event { return nil }
        }
        return nil
    }

    mutating func skipElement() throws(XMLError) {
        var depth = 1
        while depth > 0, let event = try next() {
            if case .start = event { depth += 1 }
            if case .end = event { depth -= 1 }
        }
    }

    /// Reads the current element, and returns its content. If it is too long for a joke, it is cut, and `isTextCut` is set.
    mutating func content(_ kind: XMLContent) throws(XMLError) -> String {
        var content = ""
        var names: [String] = []
        while let event = try next() {
            switch event {
            case .start(let element):
                names.append(element.name.local)
                if kind != .plain { append("<\(element.name.local)>", to: &content) }
            case .text(let text):
                // A text that is too long already is not escaped.
                let isXHTML = kind == .xhtml && text.utf8.count <= Normalizer.maxRawBytes
                append(isXHTML ? escaped(text) : text, to: &content)
            case .end:
                guard let name = names.popLast() else { return content }
                // In HTML, the end tag of a break would be another break.
                if kind != .plain && name != "br" { append("</\(name)>", to: &content) }
            }
        }
        return content
    }

    private mutating func append(_ text: String, to content: inout String) {
        if content.utf8.count + text.utf8.count <= Normalizer.maxRawBytes {
            content += text
        } else {
            isTextCut = true
        }
    }

    private func escaped(_ text: String) -> String {
        // A scan of the bytes is much faster than two replacements.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return text }
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
