import Synchronization

/// Counts what is asked of identifiers and contents.
final class Tally: Sendable {
    private let hashed = Atomic(0)
    private let compared = Atomic(0)
    private let contentCompared = Atomic(0)

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

struct CountedID: Hashable, Sendable {
    let number: Int
    let tally: Tally

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
