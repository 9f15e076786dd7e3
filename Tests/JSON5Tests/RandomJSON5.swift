import TestSupport

@testable import JSON5

/// Returns the number of line ends in a text.
func lineEnds(of text: String) -> Int { text.count { ["\n", "\r\n", "\r"].contains($0) } }

/// A random JSON5 text in all styles of the format, and its value with all places.
struct RandomJSON5: CustomStringConvertible {
    private(set) var text = ""
    private(set) var value = LocatedJSON(line: 0, value: .null, range: 0..<0, lastCommentEnd: nil)
    private var line = 1
    private var random: SplitMix64

    init(seed: UInt64, size: Int) {
        random = SplitMix64(seed: seed)
        blank()
        value = write(depth: size)
        blank()
    }

    var description: String {
        text.debugDescription
    }

    private mutating func put(_ piece: String) {
        text += piece
        line += lineEnds(of: piece)
    }

    private mutating func putOne(of pieces: [String]) {
        put(pieces[random.int(in: 0..<pieces.count)])
    }

    private var position: Int { text.unicodeScalars.count }

    /// Returns the end of the last comment; nil if there is none.
    @discardableResult
    private mutating func blank() -> Int? {
        var commentEnd: Int?
        while random.chance(1, in: 3) {
            let start = position
            putOne(of: [
                " ", "\t", "\n", "\r\n", "\r ", "\u{A0}", "\u{FEFF}", "\u{2028}", "// a ] comment\n", "/* one */",
                "/* two\n * lines **/", "//\n", "/*\r*/",
            ])
            let piece = text.unicodeScalars.dropFirst(start)
            // The line feed is not in the comment.
            if piece.first == "/" { commentEnd = position - (piece.last == "\n" ? 1 : 0) }
        }
        return commentEnd
    }

    // MARK: Values

    private mutating func write(depth: Int) -> LocatedJSON {
        let (line, start) = (line, position)
        var commentEnd: Int?
        let value = bareValue(depth: depth, &commentEnd)
        return LocatedJSON(line: line, value: value, range: start..<position, lastCommentEnd: commentEnd)
    }

    private mutating func bareValue(depth: Int, _ commentEnd: inout Int?) -> LocatedJSON.Value {
        switch random.int(in: 0..<(depth > 0 ? 7 : 4)) {
        case 0:
            let word = random.int(in: 0..<3)
            put(["true", "false", "null"][word])
            return [.bool(true), .bool(false), .null][word]
        case 1: return .number(number())
        case 2, 3: return .string(string())
        case 4: return .array(array(depth: depth, &commentEnd))
        default: return .object(object(depth: depth, &commentEnd))
        }
    }

    private mutating func array(depth: Int, _ commentEnd: inout Int?) -> [LocatedJSON] {
        var elements: [LocatedJSON] = []
        commentEnd = list("[", "]") { writer in
            elements.append(writer.write(depth: depth - 1))
            return { elements[elements.count - 1].comma = $0 }
        }
        return elements
    }

    private mutating func object(depth: Int, _ commentEnd: inout Int?) -> [LocatedJSON.Member] {
        var members: [LocatedJSON.Member] = []
        commentEnd = list("{", "}") { writer in
            let (line, start) = (writer.line, writer.position)
            let key = writer.key()
            writer.blank()
            writer.put(":")
            writer.blank()
            var value = writer.write(depth: depth - 1)
            return { comma in
                value.comma = comma
                members.append(LocatedJSON.Member(key: key, line: line, start: start, value: value))
            }
        }
        return members
    }

    /// Writes a list. Each element gets the index of the comma after it. Returns the end of the last comment before `end`
    /// that is after the last comma.
    private mutating func list(
        _ start: String, _ end: String, _ element: (inout RandomJSON5) -> (_ comma: Int?) -> Void
    ) -> Int? {
        put(start)
        let count = random.int(in: 0..<4)
        var commentEnd: Int?
        for index in 0..<count {
            blank()
            let finish = element(&self)
            commentEnd = blank()
            let comma = index + 1 < count || random.chance(1, in: 2) ? position : nil
            if comma != nil {
                put(",")
                commentEnd = nil
            }
            finish(comma)
        }
        commentEnd = blank() ?? commentEnd
        put(end)
        return commentEnd
    }

    private mutating func key() -> String {
        if random.chance(1, in: 2) { return string() }
        let name = ["a", "$", "_b9", "größe", "null", "Infinity", "x\u{200D}"][random.int(in: 0..<7)]
        put(name)
        return name
    }

    // MARK: Numbers

    private mutating func number() -> Double {
        let sign = ["", "+", "-"][random.int(in: 0..<3)]
        let whole = random.int(in: 0..<(1 << random.int(in: 1..<53)))
        let exponent = random.int(in: 0..<20)
        let forms: [(text: String, value: Double)] = [
            ("\(whole)", Double(whole)), ("\(whole).", Double(whole)), ("\(whole).5", Double("\(whole).5")!),
            (".25", 0.25), ("\(whole % 10)e\(exponent)", Double("\(whole % 10)e\(exponent)")!),
            ("\(whole % 10).5E-\(exponent)", Double("\(whole % 10).5e-\(exponent)")!),
            ("\(whole % 10).e+\(exponent)", Double("\(whole % 10)e\(exponent)")!),
            ("0x" + String(whole, radix: 16), Double(whole)), ("0X" + String(whole, radix: 16), Double(whole)),
            ("Infinity", .infinity),
        ]
        let form = forms[random.int(in: 0..<forms.count)]
        put(sign + form.text)
        return sign == "-" ? -form.value : form.value
    }

    // MARK: Strings

    private mutating func string() -> String {
        let quotation: Unicode.Scalar = random.chance(1, in: 2) ? "\"" : "'"
        var value = String.UnicodeScalarView()
        put(String(quotation))
        for _ in 0..<random.int(in: 0..<8) {
            if random.chance(1, in: 8) { putOne(of: ["\\\n", "\\\r\n", "\\\u{2029}"]) }
            let scalar = Self.letters[random.int(in: 0..<Self.letters.count)]
            value.append(scalar)
            put(written(scalar, within: quotation))
        }
        put(String(quotation))
        return String(value)
    }

    private static let letters: [Unicode.Scalar] = [
        "a", "0", "9", " ", "\"", "'", "\\", "/", "\n", "\r", "\t", "\u{8}", "\u{C}", "\u{B}", "\u{0}", "\u{1B}", "é",
        "ß", "漢", "😀", "\u{301}", "\u{2028}", "\u{202E}", "\u{FEFF}", "\u{10FFFF}",
    ]

    private mutating func written(_ scalar: Unicode.Scalar, within quotation: Unicode.Scalar) -> String {
        let letters: [Unicode.Scalar: String] = [
            "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u{8}": "\\b", "\u{C}": "\\f", "\u{B}": "\\v",
        ]
        var forms = [scalar.utf16.map { "\\u" + Self.hexadecimal(Int($0), digits: 4) }.joined()]
        if scalar.value < 0x100 { forms.append("\\x" + Self.hexadecimal(Int(scalar.value), digits: 2)) }
        if let letter = letters[scalar] { forms.append(letter) }
        if !["\n", "\r", "\\", quotation].contains(scalar) { forms.append(String(scalar)) }
        if ["\"", "'", "\\", "/", "a", "é"].contains(scalar) { forms.append("\\\(scalar)") }
        return forms[random.int(in: 0..<forms.count)]
    }

    private static func hexadecimal(_ value: Int, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: value.isMultiple(of: 2))
        return String(repeating: "0", count: digits - text.count) + text
    }
}
