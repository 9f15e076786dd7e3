import JokesCore

/// The start tag of an element.
struct XMLElement: Sendable {
    let name: XMLName
    let attributes: [XMLName: String]

    /// Returns the value of an attribute without a namespace.
    subscript(_ attribute: String) -> String? { attributes[XMLName(attribute)] }

    var language: String? { attributes[XMLName("lang", in: XMLNamespaces.xml)] }
}

/// Reads XML 1.0 of untrusted documents, element by element, without recursion, external files or entity definitions.
///
/// It is strict if a document would be ambiguous: tags must match, attributes must differ, references must be known,
/// and there is one root. References are the five of XML, numbers as in HTML, and the names of HTML, which feeds use
/// without a definition. A document type is ignored, but one with definitions is refused, because they can expand
/// without limits. Control characters and `--` in comments are accepted.
struct XMLReader {
    private static let maxDepth = 100
    private static let maxAttributes = 64
    private static let maxNameBytes = 200

    enum Event {
        case start(XMLElement)
        case text(String)
        case end
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The names of the open elements, with prefixes.
    private var open: [Range<Int>] = []
    private var namespaces = XMLNamespaces()
    private var hasRoot = false
    /// True if a tag was a start and an end.
    private var isEndDue = false
    /// True if `content` has cut a text since this was set to false.
    var isTextCut = false

    /// Creates a reader for a document in UTF-8 from `xmlText(of:charset:)`.
    init(_ text: [UInt8]) { bytes = text }

    /// Returns the next event; nil at the end of the document.
    mutating func next() throws(XMLError) -> Event? {
        if isEndDue {
            isEndDue = false
            closeElement()
            return .end
        }
        while index < bytes.count {
            if bytes[index] != UInt8(ascii: "<") {
                if let text = try characterData() { return .text(text) }
            } else if take("<!--") {
                _ = try skip(to: "-->", of: "a comment")
            } else if take("<![CDATA[") {
                if open.isEmpty { throw failure("text outside the root element") }
                return .text(String(decoding: bytes[try skip(to: "]]>", of: "a CDATA section")], as: UTF8.self))
            } else if isNext("<!") {
                try skipDocumentType()
            } else if isNext("<?") {
                _ = try skip(to: "?>", of: "a processing instruction")
            } else if take("</") {
                try readEndTag()
                return .end
            } else {
                return .start(try readStartTag())
            }
        }
        if !open.isEmpty { throw failure("the document ends within an element") }
        if !hasRoot { throw failure("the document has no element") }
        return nil
    }

    func failure(_ reason: String) -> XMLError { XMLError(line: lineNumber(of: index, in: bytes), reason) }

    // MARK: Text

    /// Returns nil for white space outside the root.
    private mutating func characterData() throws(XMLError) -> String? {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        if !open.isEmpty { return try text(to: end) }
        guard bytes[index..<end].allSatisfy(\.isXMLSpace) else { throw failure("text outside the root element") }
        index = end
        return nil
    }

    /// Returns the text up to an index, with its references replaced.
    private mutating func text(to end: Int) throws(XMLError) -> String {
        var text = ""
        while let ampersand = bytes[index..<end].firstIndex(of: UInt8(ascii: "&")) {
            text += String(decoding: bytes[index..<ampersand], as: UTF8.self)
            index = ampersand
            guard let reference = CharacterReference(in: bytes, at: index), reference.end <= end else {
                throw failure("unknown character reference")
            }
            text += reference.text
            index = reference.end
        }
        defer { index = end }
        return text + String(decoding: bytes[index..<end], as: UTF8.self)
    }

    // MARK: Tags

    private mutating func readStartTag() throws(XMLError) -> XMLElement {
        if open.isEmpty && hasRoot { throw failure("there is a second root element") }
        if open.count == Self.maxDepth { throw failure("elements are nested more than \(Self.maxDepth) deep") }
        index += 1
        let name = try readName()
        let attributes = try readAttributes()
        isEndDue = bytes[index] == UInt8(ascii: "/")
        index += isEndDue ? 2 : 1
        hasRoot = true
        open.append(name)
        namespaces.open(attributes, depth: open.count)
        var named: [XMLName: String] = [:]
        for (raw, value) in attributes {
            guard let name = namespaces.name(ofAttribute: raw) else { continue }
            if named.updateValue(value, forKey: name) != nil { throw failure("duplicate attribute in a tag") }
        }
        return XMLElement(
            name: namespaces.name(ofElement: String(decoding: bytes[name], as: UTF8.self)), attributes: named)
    }

    /// Stops at the `>`, or the `/` before it.
    private mutating func readAttributes() throws(XMLError) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while true {
            let hasSpace = skipSpace()
            if isNext(">") || isNext("/>") { return attributes }
            guard index < bytes.count else { throw failure("the document ends within a tag") }
            guard hasSpace else { throw failure("a tag is malformed") }
            if attributes.count == Self.maxAttributes {
                throw failure("a tag has more than \(Self.maxAttributes) attributes")
            }
            let name = String(decoding: bytes[try readName()], as: UTF8.self)
            skipSpace()
            guard take("=") else { throw failure("an attribute has no value") }
            skipSpace()
            attributes.append((name, try readValue()))
        }
    }

    private mutating func readValue() throws(XMLError) -> String {
        guard isNext("\"") || isNext("'") else { throw failure("an attribute's value is not in quotes") }
        let quote = bytes[index]
        index += 1
        guard let end = bytes[index...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }),
            bytes[end] == quote
        else { throw failure("an attribute's value does not end") }
        let value = try text(to: end)
        index = end + 1
        return value
    }

    private mutating func readEndTag() throws(XMLError) {
        let name = try readName()
        guard let opened = open.last, bytes[opened] == bytes[name] else { throw failure("an end tag has no start tag") }
        skipSpace()
        guard take(">") else { throw failure("an end tag is malformed") }
        closeElement()
    }

    private mutating func closeElement() {
        namespaces.close(depth: open.count)
        open.removeLast()
    }

    private mutating func readName() throws(XMLError) -> Range<Int> {
        let start = index
        let end = bytes[start...].firstIndex { !$0.isInXMLName } ?? bytes.count
        guard start < end, end - start <= Self.maxNameBytes, !bytes[start].isOnlyWithinXMLName else {
            throw failure("a name is malformed")
        }
        index = end
        return start..<end
    }

    // MARK: Skipping

    private mutating func skipDocumentType() throws(XMLError) {
        guard !hasRoot, take("<!DOCTYPE") else { throw failure("a declaration is out of place") }
        while index < bytes.count {
            if take(">") { return }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "["): throw failure("the document type defines something, which is not allowed")
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes[(index + 1)...].firstIndex(of: byte) else {
                    throw failure("the document type does not end")
                }
                index = end + 1
            default: index += 1
            }
        }
        throw failure("the document type does not end")
    }

    /// Skips to the end of `closing`, and returns the range before it.
    private mutating func skip(to closing: StaticString, of what: String) throws(XMLError) -> Range<Int> {
        let start = index
        while let found = bytes[index...].firstIndex(of: closing.utf8Start.pointee) {
            index = found
            if take(closing) { return start..<found }
            index += 1
        }
        index = start
        throw failure("\(what) does not end")
    }

    @discardableResult private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, bytes[index].isXMLSpace { index += 1 }
        return index > start
    }

    /// Skips the text if it is next, and returns whether it is.
    private mutating func take(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        index += text.utf8CodeUnitCount
        return true
    }

    private func isNext(_ text: StaticString) -> Bool { text.withUTF8Buffer { bytes[index...].starts(with: $0) } }
}

extension UInt8 {
    fileprivate var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// All bytes beyond ASCII are accepted: such names are only compared.
    fileprivate var isInXMLName: Bool {
        isASCIILetter || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: ":") || isOnlyWithinXMLName
    }

    fileprivate var isOnlyWithinXMLName: Bool { isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") }
}
