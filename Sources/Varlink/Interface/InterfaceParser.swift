/// Parses an interface text with the grammar of varlink.org.
struct InterfaceParser {
    /// A word, a name or a punctuation mark, with the comment lines above it.
    struct Token {
        var text: String
        var line: Int
        var comment: [String]
    }

    private var tokens: [Token]
    private var position = 0
    /// The nesting depth of the current type. It is limited, because texts may come from other programs.
    private var depth = 0
    /// 64 nested structures, as systemd allows, each an optional list, and an optional list in the innermost one.
    private static let maxDepth = 64 * 3 + 3

    init(_ text: String) throws(VarlinkError) { tokens = try InterfaceTokens.split(text) }

    mutating func parse() throws(VarlinkError) -> (
        name: String, documentation: String, members: [InterfaceDescription.Member]
    ) {
        let documentation = current.comment.joined(separator: "\n")
        try expect("interface")
        let name = try takeName("interface", InterfaceNames.isInterface)
        var members: [InterfaceDescription.Member] = []
        while !current.text.isEmpty { members.append(try parseMember()) }
        return (name.text, documentation, members)
    }

    /// An empty token is the end.
    private var current: Token { tokens[position] }

    private mutating func take() -> Token {
        defer { if position < tokens.count - 1 { position += 1 } }
        return current
    }

    private mutating func takeName(_ kind: String, _ isValid: (String) -> Bool) throws(VarlinkError) -> Token {
        let token = take()
        if isValid(token.text) { return token }
        throw .invalidInterface(line: token.line, reason: "'\(token.text)' is not a valid \(kind) name")
    }

    private mutating func skip(_ text: String) -> Bool {
        guard current.text == text else { return false }
        _ = take()
        return true
    }

    private mutating func expect(_ text: String) throws(VarlinkError) {
        let token = take()
        if token.text != text { throw unexpected(token, due: "'\(text)'") }
    }

    private func unexpected(_ token: Token, due: String) -> VarlinkError {
        let found = token.text.isEmpty ? "the end of the text" : "'\(token.text)'"
        return .invalidInterface(line: token.line, reason: "expected \(due), found \(found)")
    }

    private mutating func parseMember() throws(VarlinkError) -> InterfaceDescription.Member {
        let keyword = take()
        guard ["type", "method", "error"].contains(keyword.text) else {
            throw unexpected(keyword, due: "type, method or error")
        }
        let name = try takeName(keyword.text, InterfaceNames.isMember)
        let kind: InterfaceDescription.Member.Kind
        switch keyword.text {
        case "type": kind = .type(try parseParentheses())
        case "error": kind = .error(try parseFields())
        default:
            let input = try parseFields()
            try expect("->")
            kind = .method(input: input, output: try parseFields())
        }
        return InterfaceDescription.Member(
            name: name.text, documentation: keyword.comment.joined(separator: "\n"), kind: kind, line: keyword.line)
    }

    private mutating func parseFields() throws(VarlinkError) -> [FieldDescription] {
        let line = current.line
        guard case .structure(let fields) = try parseParentheses() else {
            throw .invalidInterface(line: line, reason: "expected fields with types, found enumeration names")
        }
        return fields
    }

    /// Reads a structure, or an enumeration if the first name has no colon.
    private mutating func parseParentheses() throws(VarlinkError) -> TypeDescription {
        try expect("(")
        if skip(")") { return .structure([]) }
        let isStructure = tokens[min(position + 1, tokens.count - 1)].text == ":"
        var fields: [FieldDescription] = []
        var names: Set<String> = []
        repeat {
            let name = try takeName("field", InterfaceNames.isField)
            guard names.insert(name.text).inserted else {
                throw .invalidInterface(line: name.line, reason: "duplicate field '\(name.text)'")
            }
            if isStructure { try expect(":") }
            fields.append(
                FieldDescription(
                    name: name.text, type: isStructure ? try parseType() : .string,
                    documentation: name.comment.joined(separator: "\n"), line: name.line))
        } while skip(",")
        try expect(")")
        return isStructure ? .structure(fields) : .enumeration(fields.map(\.name))
    }

    private mutating func parseType() throws(VarlinkError) -> TypeDescription {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else {
            throw .invalidInterface(line: current.line, reason: "types are nested too deeply")
        }
        if skip("?") {
            let inner = try parseType()
            if case .optional = inner { throw .invalidInterface(line: current.line, reason: "duplicate ?") }
            return .optional(inner)
        }
        if skip("[]") { return .array(try parseType()) }
        if skip("[string]") { return .map(try parseType()) }
        if current.text == "(" { return try parseParentheses() }
        let token = take()
        switch token.text {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": return .any
        case let name where InterfaceNames.isMember(name): return .named(name)
        default: throw unexpected(token, due: "a type")
        }
    }
}

/// Splits an interface text into tokens. Compares scalars, because a combining mark after `#` or a space forms another
/// `Character` with it.
enum InterfaceTokens {
    static func split(_ text: String) throws(VarlinkError) -> [InterfaceParser.Token] {
        var tokens: [InterfaceParser.Token] = []
        var comment: [String] = []
        var line = 1
        /// True if the current line has neither a token nor a comment so far.
        var isEmptyLine = true
        var rest = Substring(text).unicodeScalars
        while let first = rest.first {
            if first.isLineEnd {
                rest.removeFirst()
                if first == "\r" && rest.first == "\n" { rest.removeFirst() }
                // An empty line ends a comment.
                if isEmptyLine { comment = [] }
                (line, isEmptyLine) = (line + 1, true)
            } else if first.isSpace {
                rest.removeFirst()
            } else if first == "#" {
                var written = rest.prefix { !$0.isLineEnd }
                rest = rest[written.endIndex...]
                written.removeFirst(written.starts(with: "# ".unicodeScalars) ? 2 : 1)
                // A comment after a token documents nothing.
                if isEmptyLine { comment.append(String(written)) }
                isEmptyLine = false
            } else {
                let token = rest[..<endOfToken(rest)]
                if token.isEmpty { throw .invalidInterface(line: line, reason: "unexpected '\(first)'") }
                tokens.append(.init(text: String(token), line: line, comment: comment))
                rest = rest[token.endIndex...]
                (comment, isEmptyLine) = ([], false)
            }
        }
        tokens.append(.init(text: "", line: line, comment: comment))
        return tokens
    }

    /// Returns the end of the token at the beginning; the beginning if there is none.
    private static func endOfToken(_ text: Substring.UnicodeScalarView) -> String.Index {
        switch text.first {
        case "(", ")", ":", ",", "?": return text.index(after: text.startIndex)
        case "[", "-":
            let marks = ["[string]", "[]", "->"].lazy.map(\.unicodeScalars)
            guard let mark = marks.first(where: { text.starts(with: $0) }) else { return text.startIndex }
            return text.index(text.startIndex, offsetBy: mark.count)
        default: return text.prefix(while: \.isInWord).endIndex
        }
    }
}

extension Unicode.Scalar {
    /// True for a line end of the grammar, which are those of ECMAScript.
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    /// True for a space of the grammar, which are those of ECMAScript 5.1 without U+000B and U+000C.
    fileprivate var isSpace: Bool {
        switch self {
        case " ", "\t", "\u{A0}", "\u{FEFF}", "\u{1680}", "\u{180E}", "\u{202F}", "\u{205F}", "\u{3000}": true
        default: ("\u{2000}"..."\u{200A}").contains(self)
        }
    }

    fileprivate var isInWord: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
        default: false
        }
    }
}

/// The names that the grammar allows.
enum InterfaceNames {
    /// `[A-Z][A-Za-z0-9]*`
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, 0x41...0x5A ~= first else { return false }
        return name.utf8.allSatisfy(isLetterOrDigit)
    }

    /// `[A-Za-z](_?[A-Za-z0-9])*`
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.last != UInt8(ascii: "_") else { return false }
        return !name.contains("__") && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
    }

    /// At least two labels with dots between them, of letters, digits and inner dashes. The first begins with a letter.
    static func isInterface(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let first = name.utf8.first, isLetter(first) else { return false }
        return labels.allSatisfy { label in
            guard let first = label.utf8.first, let last = label.utf8.last else { return false }
            return isLetterOrDigit(first) && isLetterOrDigit(last)
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || 0x30...0x39 ~= byte }
}
