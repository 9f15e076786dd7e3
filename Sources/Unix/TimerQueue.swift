/// Actions by the instant they are due, earliest first; equal instants in the order they were added.
///
/// A binary heap; a removed entry leaves its slot behind until it comes to the top, or until half of the slots are such.
package struct TimerQueue {
    /// Names one entry.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let instant: BootInstant
        let number: UInt64

        func precedes(_ other: Entry) -> Bool {
            (instant, number) < (other.instant, other.number)
        }
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: () -> Void] = [:]
    private var nextNumber: UInt64 = 0

    package init() {}

    /// The earliest instant at which something is due.
    package var first: BootInstant? {
        heap.first?.instant
    }

    /// O(log n).
    package mutating func insert(at instant: BootInstant, _ action: @escaping () -> Void) -> Token {
        let entry = Entry(instant: instant, number: nextNumber)
        nextNumber += 1
        actions[entry.number] = action
        heap.append(entry)
        siftUp(from: heap.count - 1)
        return Token(number: entry.number)
    }

    /// O(log n), amortised.
    package mutating func remove(_ token: Token) {
        actions[token.number] = nil
        dropRemoved()
        if heap.count > 2 * actions.count + 16 { compact() }
    }

    /// Takes the earliest action that is due at the instant. O(log n).
    package mutating func popDue(at now: BootInstant) -> (() -> Void)? {
        guard let top = heap.first, top.instant <= now else { return nil }
        let action = actions.removeValue(forKey: top.number)
        dropRemoved()
        return action
    }

    private mutating func dropRemoved() {
        while let top = heap.first, actions[top.number] == nil {
            let last = heap.removeLast()
            if !heap.isEmpty {
                heap[0] = last
                siftDown()
            }
        }
    }

    /// Timers that are always cancelled early, as those of answered requests are, must not pile up until they are due.
    private mutating func compact() {
        heap = heap.filter { actions[$0.number] != nil }
        for parent in (0..<heap.count / 2).reversed() { siftDown(from: parent) }
    }

    private mutating func siftUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(from start: Int = 0) {
        var parent = start
        while true {
            var earliest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].precedes(heap[earliest]) {
                earliest = child
            }
            guard earliest != parent else { return }
            heap.swapAt(parent, earliest)
            parent = earliest
        }
    }
}
