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
        guard depth <= 64 else { throw .invalidInterface(line: current.line, reason: "types are nested too deeply") }
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

/// Splits an interface text into tokens.
enum InterfaceTokens {
    static func split(_ text: String) throws(VarlinkError) -> [InterfaceParser.Token] {
        var tokens: [InterfaceParser.Token] = []
        var comment: [String] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            var rest = line.drop(while: isBlank)
            // An empty line ends a comment.
            if rest.isEmpty { comment = [] }
            while let first = rest.first {
                if first == "#" {
                    comment.append(String(rest.dropFirst().drop { $0 == " " }))
                    break
                }
                let length = tokenLength(rest)
                guard length > 0 else { throw .invalidInterface(line: index + 1, reason: "unexpected '\(first)'") }
                tokens.append(.init(text: String(rest.prefix(length)), line: index + 1, comment: comment))
                comment = []
                rest = rest.dropFirst(length).drop(while: isBlank)
            }
        }
        tokens.append(.init(text: "", line: lines.count, comment: comment))
        return tokens
    }

    private static func isBlank(_ character: Character) -> Bool { " \t\r".contains(character) }

    private static func tokenLength(_ text: Substring) -> Int {
        for mark in ["[string]", "[]", "->"] where text.hasPrefix(mark) { return mark.count }
        if let first = text.first, "():,?".contains(first) { return 1 }
        return text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }.count
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
