/// Scans the tokens of JSON5: white space, comments, strings, numbers and names.
struct JSON5Scanner {
    typealias SyntaxError = JSON5Reader.SyntaxError

    private let scalars: [Unicode.Scalar]
    /// The index of `next` in the scalars of the text.
    private(set) var position = 0
    /// The line of `next`, from 1.
    private(set) var line = 1

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    // MARK: One scalar

    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    var isAtEnd: Bool { position == scalars.count }

    /// The next scalar for a message.
    var here: String {
        next.map { $0 == "\n" || $0 == "\r" ? "the end of the line" : quote(String($0)) } ?? "the end of the file"
    }

    func error(_ message: String) -> SyntaxError { SyntaxError(line: line, message: message) }

    mutating func advance() {
        let isLoneReturn = next == "\r" && !scalars[(position + 1)...].starts(with: "\n".unicodeScalars)
        if next == "\n" || isLoneReturn { line += 1 }
        position += 1
    }

    /// Skips the scalar if it is the next one.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        var taken = String.UnicodeScalarView()
        while let scalar = next, condition(scalar) {
            taken.append(scalar)
            advance()
        }
        return String(taken)
    }

    // MARK: Space and comments

    /// Skips space and comments. Returns the end of the last comment; nil if there is none.
    @discardableResult
    mutating func skipBlank() throws(SyntaxError) -> Int? {
        var end: Int?
        while let scalar = next {
            if scalar.isJSON5Space {
                advance()
            } else if scalar == "/" {
                try skipComment()
                end = position
            } else {
                break
            }
        }
        return end
    }

    private mutating func skipComment() throws(SyntaxError) {
        let start = error("unexpected '/': a comment starts with '//' or '/*'")
        advance()
        if take("/") {
            _ = take(while: { !$0.isJSON5LineEnd })
        } else if take("*") {
            var last: Unicode.Scalar?
            while let scalar = next {
                advance()
                if last == "*" && scalar == "/" { return }
                last = scalar
            }
            throw SyntaxError(line: start.line, message: "unterminated comment: add '*/'")
        } else {
            throw start
        }
    }

    // MARK: Names

    /// Reads an identifier of ECMAScript 5.1 without \u escapes. Returns an empty text if there is none.
    mutating func takeWord() -> String {
        guard let first = next, first == "$" || first == "_" || first.properties.isIDStart else { return "" }
        return take(while: { $0 == "$" || $0.properties.isIDContinue || $0 == "\u{200C}" || $0 == "\u{200D}" })
    }

    // MARK: Numbers

    mutating func number() throws(SyntaxError) -> Double {
        let start = self
        let isNegative = next == "-"
        if next == "-" || next == "+" { advance() }
        var word = take(while: \.isNumberPart)
        let isHexadecimal = word.hasPrefix("0x") || word.hasPrefix("0X")
        if !isHexadecimal, word.last == "e" || word.last == "E", let sign = next, sign == "+" || sign == "-" {
            advance()
            word += String(sign) + take(while: \.isNumberPart)
        }
        guard let magnitude = isHexadecimal ? Self.hexadecimal(word) : Self.decimal(word) else {
            let written = String(String.UnicodeScalarView(scalars[start.position..<position]))
            throw start.error("\(quoteUnlessLong(written)) is not a number")
        }
        return isNegative ? -magnitude : magnitude
    }

    /// The standard library also accepts a fraction and an exponent.
    private static func hexadecimal(_ word: String) -> Double? {
        word.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit } ? Double(word) : nil
    }

    /// The standard library also accepts leading zeros and more names.
    private static func decimal(_ word: String) -> Double? {
        if word == "Infinity" || word == "NaN" { return Double(word) }
        let whole = word.prefix { !".eE".contains($0) }
        guard whole.count <= 1 || whole.first != "0",
            word.unicodeScalars.allSatisfy({ $0.isDecimalDigit || "+-.eE".unicodeScalars.contains($0) })
        else { return nil }
        return Double(word)
    }

    // MARK: Strings

    mutating func string() throws(SyntaxError) -> String {
        let start = error("unterminated text: add the closing quote")
        let quotation = next
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = next {
            if scalar == "\n" || scalar == "\r" { break }
            advance()
            if scalar == quotation { return String(text) }
            if scalar == "\\" {
                try escape(into: &text)
            } else {
                text.append(scalar)
            }
        }
        throw start
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
    ]

    private mutating func escape(into text: inout String.UnicodeScalarView) throws(SyntaxError) {
        guard let scalar = next else { return }
        advance()
        if let escaped = Self.escapes[scalar] { return text.append(escaped) }
        switch scalar {
        case "x": text.append(try codeUnit(digits: 2))
        case "u": text.append(try escapedScalar())
        case "\n", "\u{2028}", "\u{2029}": break
        case "\r": _ = take("\n")
        case "0" where !(next?.isDecimalDigit ?? false): text.append("\u{0}")
        case _ where scalar.isDecimalDigit: throw error("unknown escape '\\\(scalar)'")
        default: text.append(scalar)
        }
    }

    /// A scalar by one \uXXXX, or by a surrogate pair of them.
    private mutating func escapedScalar() throws(SyntaxError) -> Unicode.Scalar {
        let first = try hexadecimalDigits(4)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let high = first
        guard high < 0xDC00, take("\\"), take("u") else { throw error("invalid escape: half of a surrogate pair") }
        let low = try hexadecimalDigits(4)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { throw error("invalid escape: half of a surrogate pair") }
        return scalar
    }

    private mutating func codeUnit(digits: Int) throws(SyntaxError) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(truncatingIfNeeded: try hexadecimalDigits(digits)))
    }

    private mutating func hexadecimalDigits(_ count: Int) throws(SyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw error("expected a hexadecimal digit in the escape, found \(here)")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}

extension Unicode.Scalar {
    var isDecimalDigit: Bool { (0x30...0x39).contains(value) }

    /// True if it belongs to a number, even to an invalid one such as `1a`.
    fileprivate var isNumberPart: Bool { self == "." || self == "_" || properties.isIDContinue }

    var isJSON5LineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    var isJSON5Space: Bool {
        switch self {
        case "\t", "\u{B}", "\u{C}", " ", "\u{FEFF}": true
        default: isJSON5LineEnd || properties.generalCategory == .spaceSeparator
        }
    }
}
