import HTTP

/// A JSON text from outside, which is read only where somebody looks.
///
/// No tree is made of it: a value is a place in the bytes, found again by walking there. Memory stays that of the bytes,
/// whatever they say: a tree of an 8 MB list of small numbers takes twenty times that. And what nobody looks at spoils
/// nothing: a broken string, a number out of all bounds and 100,000 levels of brackets are the matter of the value that
/// holds them. Only where the brackets, commas and quotes do not fit is the whole text refused, since nobody can tell
/// then where the next value begins. docs/decisions/0006-json-from-outside.md says more.
struct JSONText {
    /// What makes it impossible to tell where the values of a text are.
    struct Malformed: Error {}

    /// All of it.
    let root: JSONValue

    /// Checks the structure of the text once, without recursion. O(n).
    init(_ bytes: [UInt8]) throws(Malformed) {
        var structure = try JSONStructure(bytes)
        try structure.check(to: bytes.count)
        root = JSONValue(bytes, at: structure.start)
    }

    /// Does the same, and lets other work on this thread go on after each megabyte.
    init(checkingInSteps bytes: [UInt8]) async throws(Malformed) {
        var structure = try JSONStructure(bytes)
        while !structure.isAtEnd {
            try structure.check(to: structure.index + (1 << 20))
            await Task.yield()
        }
        try structure.check(to: bytes.count)
        root = JSONValue(bytes, at: structure.start)
    }
}

/// Checks that brackets, commas, colons and quotes fit: RFC 8259 but for what is inside strings, numbers and words.
private struct JSONStructure {
    private let bytes: [UInt8]
    private(set) var index = 0
    /// The index of the one value.
    private(set) var start = 0
    /// The brackets that are open.
    private var open: [UInt8] = []
    /// Whether nothing has come since the last of them.
    private var isAtOpening = false

    /// Checks up to the first bracket or value.
    init(_ bytes: [UInt8]) throws(JSONText.Malformed) {
        self.bytes = bytes
        // A byte order mark is no part of the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        skipSpace()
        start = index
        try takeValueOrOpening()
    }

    /// Whether the one value has ended.
    var isAtEnd: Bool { open.isEmpty }

    /// Goes on checking up to an index or a little further, or to the end of the text.
    mutating func check(to limit: Int) throws(JSONText.Malformed) {
        while index < limit, let bracket = open.last { try goOn(in: bracket) }
        guard open.isEmpty || limit >= bytes.count else { return }
        skipSpace()
        guard open.isEmpty, index == bytes.count else { throw JSONText.Malformed() }
    }

    /// 0, which nothing begins with, at the end.
    private var current: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipSpace() {
        while current.isJSONSpace { index += 1 }
    }

    /// From behind a bracket or a value in a list or an object: to its end, or over what follows, of which a list or an
    /// object is only opened.
    private mutating func goOn(in bracket: UInt8) throws(JSONText.Malformed) {
        skipSpace()
        let isFirst = isAtOpening
        isAtOpening = false
        if take(bracket.closingBracket) {
            open.removeLast()
        } else if isFirst || take(UInt8(ascii: ",")) {
            try takeElement(in: bracket)
        } else {
            throw JSONText.Malformed()
        }
    }

    private mutating func takeElement(in bracket: UInt8) throws(JSONText.Malformed) {
        skipSpace()
        if bracket == UInt8(ascii: "{") {
            guard current == UInt8(ascii: "\"") else { throw JSONText.Malformed() }
            try takeString()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw JSONText.Malformed() }
            skipSpace()
        }
        try takeValueOrOpening()
    }

    private mutating func takeValueOrOpening() throws(JSONText.Malformed) {
        switch current {
        case UInt8(ascii: "\""): try takeString()
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            open.append(current)
            isAtOpening = true
            index += 1
        default:
            let start = index
            while current.isInJSONWord { index += 1 }
            if index == start { throw JSONText.Malformed() }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private mutating func takeString() throws(JSONText.Malformed) {
        guard let end = bytes.endOfJSONString(at: index) else { throw JSONText.Malformed() }
        index = end
    }
}

extension [UInt8] {
    /// The index behind the closing quote of the string that opens at the index; nil where it does not close.
    func endOfJSONString(at start: Int) -> Int? {
        var index = start + 1
        while index < count {
            switch self[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }
}

extension UInt8 {
    var isJSONSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }

    /// Of numbers, `true`, `false` and `null`, right or wrong.
    var isInJSONWord: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    fileprivate var closingBracket: UInt8 {
        self == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}")
    }
}

extension HTTPResponse {
    /// The body as JSON, to be read in place.
    ///
    /// - Throws: `SourceError` where the type is not JSON, or the body is not. Nothing of it is quoted.
    var jsonRoot: JSONValue {
        get async throws(SourceError) {
            // Servers of plain files often call JSON plain text.
            guard let mediaType, mediaType.isJSON || mediaType.essence == "text/plain" else {
                // A type of the server's own making may hold anything, a key that it was told too.
                let type =
                    switch self.mediaType?.essence {
                    case nil: typeInWords
                    case "text/html": "HTML"
                    default: "another type"
                    }
                throw SourceError(.unreadable, "\(redactedURL) returned \(type) instead of JSON")
            }
            do {
                return try await JSONText(checkingInSteps: body).root
            } catch {
                throw SourceError(.unreadable, "\(redactedURL) returned malformed JSON")
            }
        }
    }
}
