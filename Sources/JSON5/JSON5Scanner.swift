/// The words of JSON5: space and comments, strings, numbers and names, and the line they stand in.
struct JSON5Scanner {
    typealias SyntaxError = JSON5Reader.SyntaxError

    private let scalars: [Unicode.Scalar]
    private var position = 0
    /// The line of `next`, from 1.
    private(set) var line = 1

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    // MARK: One scalar

    var next: Unicode.Scalar? {
        position < scalars.count ? scalars[position] : nil
    }

    var isAtEnd: Bool {
        position == scalars.count
    }

    /// What stands at this place, for a complaint.
    var here: String {
        next.map { $0 == "\n" || $0 == "\r" ? "the end of the line" : quote(String($0)) } ?? "the end of the file"
    }

    func error(_ message: String) -> SyntaxError {
        SyntaxError(line: line, message: message)
    }

    mutating func advance() {
        if next == "\n" { line += 1 }
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

    mutating func skipBlank() throws(SyntaxError) {
        while let scalar = next {
            if scalar.isJSON5Space {
                advance()
            } else if scalar == "/" {
                try skipComment()
            } else {
                return
            }
        }
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

    /// Reads an identifier of ECMAScript 5.1 without \u escapes; empty if there is none.
    mutating func takeWord() -> String {
        guard let first = next, first == "$" || first == "_" || first.properties.isIDStart else { return "" }
        return take(while: { $0 == "$" || $0.properties.isIDContinue || $0 == "\u{200C}" || $0 == "\u{200D}" })
    }

    // MARK: Numbers

    mutating func number() throws(SyntaxError) -> Double {
        let start = self
        let isNegative = next == "-"
        if next == "-" || next == "+" { advance() }
        let word = take(while: { $0.isNumberPart })
        guard let magnitude = Self.magnitude(of: word, takingSignFrom: &self) else {
            let written = String(String.UnicodeScalarView(scalars[start.position..<position]))
            throw start.error("\(quoteUnlessLong(written)) is not a number")
        }
        return isNegative ? -magnitude : magnitude
    }

    private static func magnitude(of word: String, takingSignFrom scanner: inout JSON5Scanner) -> Double? {
        switch word {
        case "Infinity": return .infinity
        case "NaN": return .nan
        default: break
        }
        if word.hasPrefix("0x") || word.hasPrefix("0X") {
            return hexadecimal(word.dropFirst(2))
        }
        var word = word
        if let last = word.unicodeScalars.last, last == "e" || last == "E", let sign = scanner.next,
            sign == "+" || sign == "-"
        {
            scanner.advance()
            word += String(sign) + scanner.take(while: { $0.isNumberPart })
        }
        return decimal(word)
    }

    private static func hexadecimal(_ digits: Substring) -> Double? {
        guard !digits.isEmpty else { return nil }
        var value = 0.0
        for digit in digits {
            guard digit.isASCII, let digit = digit.hexDigitValue else { return nil }
            value = value * 16 + Double(digit)
        }
        return value
    }

    /// JSON5's decimal literals: a point may lead or trail, a zero may not lead.
    private static func decimal(_ word: String) -> Double? {
        let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let digits = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = digits[0]
        let fraction = digits.dropFirst().first ?? ""
        let exponent = parts.dropFirst().first.map { $0.drop { $0 == "+" || $0 == "-" } } ?? "0"
        guard !whole.isEmpty || !fraction.isEmpty, !exponent.isEmpty, !(whole.count > 1 && whole.first == "0"),
            [whole, fraction, exponent].allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let signedExponent = parts.dropFirst().first ?? "0"
        return Double("\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)e\(signedExponent)")
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

    private mutating func escape(into text: inout String.UnicodeScalarView) throws(SyntaxError) {
        guard let scalar = next else { return }
        advance()
        switch scalar {
        case "b": text.append("\u{8}")
        case "f": text.append("\u{C}")
        case "n": text.append("\n")
        case "r": text.append("\r")
        case "t": text.append("\t")
        case "v": text.append("\u{B}")
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
    /// One of the ten of ASCII.
    var isDecimalDigit: Bool {
        (0x30...0x39).contains(value)
    }

    /// What a number may be made of, its signs apart; a letter too many belongs to the number that is wrong by it.
    fileprivate var isNumberPart: Bool {
        self == "." || self == "_" || properties.isIDContinue
    }

    fileprivate var isJSON5LineEnd: Bool {
        self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}"
    }

    fileprivate var isJSON5Space: Bool {
        switch self {
        case "\t", "\u{B}", "\u{C}", " ", "\u{FEFF}": true
        default: isJSON5LineEnd || properties.generalCategory == .spaceSeparator
        }
    }
}
