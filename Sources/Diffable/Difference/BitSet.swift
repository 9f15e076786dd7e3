/// A set of small numbers, a bit each.
@usableFromInline
struct BitSet: Sendable {
    @usableFromInline var words: ContiguousArray<UInt64> = []

    @inlinable init() {}

    /// For numbers below `limit`.
    @inlinable init(limit: Int) { words = ContiguousArray(repeating: 0, count: (limit + 63) / 64) }

    /// False for what is not below the limit.
    @inlinable
    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
    }

    @inlinable mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

    /// The first number of the range that is in the set. A word at a time.
    @inlinable func firstPresent(in range: Range<Int>) -> Int? { first(in: range) { $0 } }

    /// The first number of the range that is not in the set. A word at a time.
    @inlinable func firstAbsent(in range: Range<Int>) -> Int? { first(in: range) { ~$0 } }

    @inlinable
    func first(in range: Range<Int>, _ wanted: (UInt64) -> UInt64) -> Int? {
        var number = range.lowerBound
        while number < range.upperBound {
            let word = number >> 6
            let rest = wanted(word < words.count ? words[word] : 0) >> UInt64(number & 63)
            if rest != 0 {
                number += rest.trailingZeroBitCount
                return number < range.upperBound ? number : nil
            }
            number = (word + 1) << 6
        }
        return nil
    }

    /// Ascending.
    @inlinable
    func forEach(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body((index << 6) + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}
