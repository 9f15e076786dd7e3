import JSON5

extension Rule where Value == Int {
    static func size(_ range: ClosedRange<Int>) -> Rule {
        let amounts = Rule<Int64>.amount(.size, Int64(range.lowerBound)...Int64(range.upperBound))
        return Rule { value, keyPath, problems in amounts.read(value, keyPath, &problems).map(Int.init) }
    }
}

extension Rule where Value == Duration {
    static func duration(_ range: ClosedRange<Int64>) -> Rule {
        let amounts = Rule<Int64>.amount(.duration, range)
        return Rule { value, keyPath, problems in amounts.read(value, keyPath, &problems).map(Duration.seconds) }
    }
}

extension Rule where Value == Int64 {
    fileprivate static func amount(_ notation: UnitNotation, _ range: ClosedRange<Int64>) -> Rule {
        Rule("\(notation.quantity) such as \(notation.examples)") {
            if case .string(let text) = $0 { notation.parse(text) } else { nil }
        }.unless { amount, value in
            let ends = (notation.text(range.lowerBound), notation.text(range.upperBound))
            return range.contains(amount) ? nil : "\(value.quoted) is not between \(ends.0) and \(ends.1)"
        }
    }
}

/// The notation of a quantity: a whole number and a unit, such as `6h` or `8MB`.
struct UnitNotation {
    /// The quantity with an article: "a duration".
    let quantity: String
    /// Examples for a message: "90s, 15m, 6h or 7d".
    let examples: String
    /// The units, the smallest first, and their multiples of it.
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
