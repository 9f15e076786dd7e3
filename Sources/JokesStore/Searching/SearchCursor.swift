package import JokesCore

/// Jokes that are ranked together.
struct SearchStretch: Hashable, Sendable {
    /// From the oldest to the newest.
    let keys: ClosedRange<Int64>
    /// The index was asked about every word, also about beginnings that are dear to it.
    let asksAboutAll: Bool
}

/// A place in the findings of a search, from which its next page goes on.
///
/// It holds all that the order of the findings follows from but the query and the jokes themselves, and so it stays good
/// for as long as anybody keeps it, whatever comes and goes, and over a restart; but where far more is shown again.
package struct SearchCursor: Hashable, Sendable, CustomStringConvertible {
    /// The stretch that the last finding of the page before was ranked in.
    let stretch: SearchStretch
    let fit: Int
    let key: Int64
    let total: SearchTotal
    /// How common each of the wanted phrases was when the search began.
    let commonness: [Int]

    init(stretch: SearchStretch, fit: Int, key: Int64, total: SearchTotal, commonness: [Int]) {
        self.stretch = stretch
        self.fit = fit
        self.key = key
        self.total = total
        self.commonness = commonness
    }

    /// Reads what `description` wrote; nil where it is something else.
    package init?(_ description: String) {
        let numbers = description.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard numbers.count > 6, numbers.count <= 6 + SearchQuery.mostPhrases, numbers.allSatisfy({ $0 >= 0 }),
            numbers[0] <= numbers[1], numbers[5] <= 3, numbers[6...].allSatisfy({ $0 <= Commonness.sampleSize })
        else { return nil }
        stretch = SearchStretch(keys: numbers[0]...numbers[1], asksAboutAll: numbers[5] & 2 != 0)
        fit = Int(numbers[2])
        key = numbers[3]
        total = SearchTotal(count: Int(numbers[4]), isExact: numbers[5] & 1 != 0)
        commonness = numbers[6...].map { Int($0) }
        if self.description != description { return nil }
    }

    package var description: String {
        // One number, so that what was handed out when there was but the first bit can still be read.
        let bits: Int64 = (total.isExact ? 1 : 0) + (stretch.asksAboutAll ? 2 : 0)
        let numbers = [
            stretch.keys.lowerBound, stretch.keys.upperBound, Int64(fit), key, Int64(total.count), bits,
        ]
        return (numbers + commonness.map { Int64($0) }).map { String($0) }.joined(separator: ".")
    }
}

/// How many jokes a search has found.
package struct SearchTotal: Hashable, Sendable {
    package var count: Int
    /// Whether these are all; otherwise there are at least so many.
    package var isExact: Bool

    package init(count: Int, isExact: Bool) {
        self.count = count
        self.isExact = isExact
    }
}

/// A page of findings, and where the rest begins.
package struct Findings: Hashable, Sendable {
    package var rows: [FoundJoke]
    /// As it was when the search began: on all pages the same.
    package var total: SearchTotal
    /// Nil where this is the end.
    package var next: SearchCursor?

    init(rows: [FoundJoke], total: SearchTotal, next: SearchCursor?) {
        self.rows = rows
        self.total = total
        self.next = next
    }

    /// Nothing is found.
    package init() {
        rows = []
        total = SearchTotal(count: 0, isExact: true)
    }
}
