import Synchronization

/// Counts what is asked of identifiers and contents.
final class Tally: Sendable {
    private let hashed = Atomic(0)
    private let compared = Atomic(0)
    private let contentCompared = Atomic(0)

    private let made = Atomic(0)

    /// Another number for each that is made.
    func serial() -> Int { made.add(1, ordering: .relaxed).newValue }

    func hash() { hashed.add(1, ordering: .relaxed) }
    func compare() { compared.add(1, ordering: .relaxed) }
    func compareContent() { contentCompared.add(1, ordering: .relaxed) }

    /// Counts since the last call.
    func take() -> (hashes: Int, comparisons: Int, contents: Int) {
        (
            hashed.exchange(0, ordering: .relaxed), compared.exchange(0, ordering: .relaxed),
            contentCompared.exchange(0, ordering: .relaxed)
        )
    }
}

/// Each that is made has other bits, so that equal ones are known by `==` alone.
struct CountedID: Hashable, Sendable {
    let number: Int
    let tally: Tally
    private let serial: Int

    init(number: Int, tally: Tally) {
        self.number = number
        self.tally = tally
        serial = tally.serial()
    }

    static func == (a: CountedID, b: CountedID) -> Bool {
        a.tally.compare()
        return a.number == b.number
    }

    func hash(into hasher: inout Hasher) {
        tally.hash()
        hasher.combine(number)
    }
}

struct CountedRow: Identifiable, Equatable, Sendable {
    let id: CountedID
    var content = 0

    static func == (a: CountedRow, b: CountedRow) -> Bool {
        a.id.tally.compareContent()
        return a.content == b.content
    }
}
