import HTTP
import JSON5
import JokesCore
import Unix

/// The error for an invalid value. The message does not include the key path.
struct InvalidValue: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension Rule {
    /// A rule that reads one value, and throws `InvalidValue` if the value is wrong.
    static func checking(_ read: @escaping (LocatedJSON) throws(InvalidValue) -> Value) -> Rule {
        Rule { value, keyPath, problems in
            do throws(InvalidValue) {
                return try read(value)
            } catch {
                problems.append(Problem(line: value.line, keyPath: keyPath, message: error.message))
                return nil
            }
        }
    }
}

extension KeyedReader {
    /// Reports the key with its meaning if the key is missing.
    mutating func reportIfMissing(_ key: String, _ meaning: String) {
        if !contains(key) { report(about: nil, "missing key \(quote(key)) (\(meaning))") }
    }
}

extension Rule where Value == String {
    /// The rule for the name of a source, except for the reserved name of the bundled jokes.
    static var sourceName: Rule {
        text.unless { name, value in
            guard SourceConfiguration.isName(name) else {
                return "invalid name \(value.quoted): use 1 to 32 characters of a-z, 0-9 and -"
            }
            return name == StarterJokes.source ? "name \(value.quoted) is reserved for the bundled jokes" : nil
        }
    }

    /// The rule for an http or https URL, which may have international characters. Messages do not quote the URL, because it
    /// may have a token.
    static var url: Rule {
        text.unless { url, _ in
            let rest = ["https://", "http://"].first(where: url.hasPrefix).map { url.dropFirst($0.count) }
            let isValid = rest?.first.map { $0 != "/" } == true && url.unicodeScalars.allSatisfy(\.isVisible)
            return isValid ? nil : "expected an http or https URL"
        }
    }

    /// The rule for an absolute path. `~/` at its beginning is the home of the user of the daemon.
    static var path: Rule {
        Rule("an absolute path") { if case .string(let text) = $0 { expandedPath(text) } else { nil } }
    }

    /// The rule for a text in a comment of a header (RFC 9110, section 5.6.5).
    static var contact: Rule {
        text.unless { text, value in
            text.utf8.count <= 200 && text.utf8.allSatisfy { ($0 == 0x20 || $0.isGraphic) && !"()\\".utf8.contains($0) }
                ? nil : "invalid text \(value.quoted): use at most 200 printable ASCII characters, without (, ) and \\"
        }
    }

    /// The rule for a BCP 47 language tag. The value is in canonical case.
    static var language: Rule {
        Rule("a language such as en, de or pt-BR") {
            if case .string(let text) = $0 { languageTag(text) } else { nil }
        }
    }

    static var category: Rule {
        text.unless { category, value in
            category.utf8.count <= 64 && category.allSatisfy { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                && category.contains { $0 != " " }
                ? nil : "invalid category \(value.quoted): use 1 to 64 letters, digits, spaces, - and _"
        }
    }

    static var flag: Rule { word("flag", of: JokeFlags.named.map(\.name)) }

    /// The rule for a word of the filter, without spaces or punctuation.
    static var singleWord: Rule {
        text.unless { word, value in
            !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber }
                ? nil : "expected one word of letters and digits, found \(value.quoted)"
        }
    }
}

/// Returns an absolute path, in which `~` at the beginning stands for `$HOME`; nil if the text is none.
func expandedPath(_ text: String) -> String? {
    let isInHome = text == "~" || text.hasPrefix("~/")
    let path = isInHome ? environment("HOME").map { $0 + text.dropFirst() } : text
    return path.flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
}

extension Rule where Value == AddressBlock {
    static var addresses: Rule {
        Rule("a range of addresses such as 198.18.0.0/15") {
            if case .string(let text) = $0 { AddressBlock(text) } else { nil }
        }
    }
}

extension UInt8 {
    /// True for printable ASCII except the space.
    var isGraphic: Bool { (0x21...0x7E).contains(self) }
}

extension Unicode.Scalar {
    /// True for a character that can be seen, except for spaces.
    fileprivate var isVisible: Bool {
        isASCII
            ? UInt8(ascii: self).isGraphic
            : value >= 0xA0 && !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
    }
}

extension Rule where Value == Duration {
    static func duration(_ range: ClosedRange<Int64>) -> Rule { .amount(.duration, range) { .seconds($0) } }
}

extension Rule {
    /// The rule for a quantity in a range.
    static func amount(
        _ notation: UnitNotation, _ range: ClosedRange<Int64>, _ convert: @escaping (Int64) -> Value
    ) -> Rule {
        .checking { value throws(InvalidValue) in
            guard case .string(let text) = value.value, let amount = notation.parse(text) else {
                throw InvalidValue("expected \(notation.quantity) such as \(notation.examples), found \(value.quoted)")
            }
            if range.contains(amount) { return convert(amount) }
            let ends = (notation.text(range.lowerBound), notation.text(range.upperBound))
            throw InvalidValue("\(value.quoted) is not between \(ends.0) and \(ends.1)")
        }
    }
}

/// The notation of a quantity: a whole number and a unit, such as `6h` or `8MB`.
struct UnitNotation {
    /// The quantity with an article: "a duration".
    let quantity: String
    /// Examples for a message: "90s, 15m, 6h or 7d".
    let examples: String
    /// The units and their factors. The smallest unit comes first, and has the factor 1.
    private let units: [(name: String, factor: Int64)]

    /// Durations, in seconds.
    static let duration = UnitNotation(
        quantity: "a duration", examples: "90s, 15m, 6h or 7d",
        units: [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)])

    /// Sizes, in bytes; the units are powers of 1,000.
    static let size = UnitNotation(
        quantity: "a size", examples: "500KB or 8MB",
        units: [("B", 1), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000)])

    /// Returns the amount in the smallest unit; nil if the text is not in this notation, or exceeds 64 bits.
    func parse(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard let count = Int64(Substring(digits)),
            let unit = units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.factor)
        return overflow ? nil : product
    }

    /// Returns the notation of an amount ≥ 0 in the largest unit that divides it.
    func text(_ amount: Int64) -> String {
        let fitting = units.last { amount >= $0.factor && amount.isMultiple(of: $0.factor) } ?? units[0]
        return "\(amount / fitting.factor)\(fitting.name)"
    }
}
