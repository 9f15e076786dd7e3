/// Actions by the instant they are due, earliest first; equal instants in the order they were added.
///
/// A sorted array: a process has hundreds of timers at most, and most new ones are due after the others.
package struct TimerQueue {
    /// Names one entry.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private var entries: [(instant: BootInstant, number: UInt64, action: () -> Void)] = []
    private var nextNumber: UInt64 = 0

    package init() {}

    /// The earliest instant at which something is due.
    package var first: BootInstant? {
        entries.first?.instant
    }

    /// O(n).
    package mutating func insert(at instant: BootInstant, _ action: @escaping () -> Void) -> Token {
        let number = nextNumber
        nextNumber += 1
        let previous = entries.lastIndex { $0.instant <= instant }
        entries.insert((instant, number, action), at: previous.map { $0 + 1 } ?? 0)
        return Token(number: number)
    }

    /// O(n).
    package mutating func remove(_ token: Token) {
        if let index = entries.firstIndex(where: { $0.number == token.number }) { entries.remove(at: index) }
    }

    /// Takes the earliest action that is due at the instant. O(n).
    package mutating func popDue(at now: BootInstant) -> (() -> Void)? {
        guard let first, first <= now else { return nil }
        return entries.removeFirst().action
    }
}
