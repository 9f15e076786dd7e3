/// A set of small numbers, one bit each.
@usableFromInline
struct BitSet: Sendable {
    var words: ContiguousArray<UInt64> = []

    /// Creates an empty set with room for numbers below `limit`.
    @usableFromInline
    init(limit: Int) { words = ContiguousArray(repeating: 0, count: (limit + 63) / 64) }

    /// Returns true if a number is in the set; false for a number at or above the limit.
    @usableFromInline
    func contains(_ number: Int) -> Bool {
        let word = number >> 6
        return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
    }

    /// Inserts a number. A number at or above the limit raises the limit.
    @usableFromInline
    mutating func insert(_ number: Int) {
        let word = number >> 6
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(number & 63)
    }

    /// Inserts the numbers of a range.
    @usableFromInline
    mutating func insert(range: Range<Int>) {
        var number = range.lowerBound
        while number < range.upperBound {
            let count = min(range.upperBound - number, 64 - number & 63)
            let word = number >> 6
            if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
            words[word] |= (count == 64 ? .max : 1 << UInt64(count) - 1) << UInt64(number & 63)
            number += count
        }
    }

    /// Removes a number, which must be below the limit.
    @usableFromInline mutating func remove(_ number: Int) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }

    /// Returns the first number of a range that is in the set.
    @usableFromInline
    func firstPresent(in range: Range<Int>) -> Int? { first(in: range) { $0 } }

    /// Returns the first number of a range that is not in the set.
    func firstAbsent(in range: Range<Int>) -> Int? { first(in: range) { ~$0 } }

    /// Returns the first number of a range whose bit is set after `transform` was applied to its word.
    func first(in range: Range<Int>, _ transform: (UInt64) -> UInt64) -> Int? {
        var number = range.lowerBound
        while number < range.upperBound {
            let word = number >> 6
            let rest = transform(word < words.count ? words[word] : 0) >> UInt64(number & 63)
            if rest != 0 {
                number += rest.trailingZeroBitCount
                return number < range.upperBound ? number : nil
            }
            number = (word + 1) << 6
        }
        return nil
    }
}
