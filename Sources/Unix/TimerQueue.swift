/// Actions in the order of their times. Actions with equal times are in the order of their addition.
///
/// A sorted array: a process has at most hundreds of timers, and most new ones are the last.
package struct TimerQueue {
    /// Identifies an entry.
    package struct Token: Hashable, Sendable { fileprivate let number: UInt64 }

    private var entries: [(instant: BootInstant, number: UInt64, action: () -> Void)] = []
    private var nextNumber: UInt64 = 0

    package init() {}

    /// The earliest time.
    package var first: BootInstant? { entries.first?.instant }

    /// O(n)
    package mutating func insert(at instant: BootInstant, _ action: @escaping () -> Void) -> Token {
        let number = nextNumber
        nextNumber += 1
        let previous = entries.lastIndex { $0.instant <= instant }
        entries.insert((instant, number, action), at: previous.map { $0 + 1 } ?? 0)
        return Token(number: number)
    }

    /// O(n)
    package mutating func remove(_ token: Token) {
        if let index = entries.firstIndex(where: { $0.number == token.number }) { entries.remove(at: index) }
    }

    /// Removes and returns the earliest action that is due. O(n)
    package mutating func popDue(at now: BootInstant) -> (() -> Void)? {
        guard let first, first <= now else { return nil }
        return entries.removeFirst().action
    }
}
