package import JokesCore

/// A page of the results of a search.
package struct SearchPage: Hashable, Sendable {
    package var rows: [FoundJoke] = []
    /// The same on all pages of a search.
    package var total = SearchTotal(count: 0, isExact: true)
    /// `nil` on the last page.
    package var next: SearchCursor?

    /// Creates an empty page.
    package init() {}
}

/// The number of matches when a search began.
package struct SearchTotal: Hashable, Sendable {
    package var count: Int
    /// If false, there were at least `count` matches.
    package var isExact: Bool

    package init(count: Int, isExact: Bool) {
        self.count = count
        self.isExact = isExact
    }
}

/// The position after which the next page of a search begins.
///
/// A cursor stays valid when jokes come and go, and after a restart.
package struct SearchCursor: Hashable, Sendable, CustomStringConvertible {
    /// The keys of the matches that were ranked together with the last match of the page.
    let window: ClosedRange<Int64>
    /// The rank of the last match of the page, in percent.
    let rank: Int
    /// The key of the last match of the page.
    let key: Int64
    let total: SearchTotal

    init(window: ClosedRange<Int64>, rank: Int, key: Int64, total: SearchTotal) {
        self.window = window
        self.rank = rank
        self.key = key
        self.total = total
    }

    /// Reads a `description`; `nil` if the text is anything else.
    package init?(_ description: String) {
        let numbers = description.split(separator: ".").map { Int64($0) ?? -1 }
        guard numbers.count == 6, 1 <= numbers[0], numbers[0] <= numbers[1], (0...100).contains(numbers[2]),
            (numbers[0]...numbers[1]).contains(numbers[3]), numbers[4] >= 1, (0...1).contains(numbers[5])
        else { return nil }
        window = numbers[0]...numbers[1]
        rank = Int(numbers[2])
        key = numbers[3]
        total = SearchTotal(count: Int(numbers[4]), isExact: numbers[5] == 1)
        if self.description != description { return nil }
    }

    package var description: String {
        "\(window.lowerBound).\(window.upperBound).\(rank).\(key).\(total.count).\(total.isExact ? 1 : 0)"
    }
}
