import Diffable
import Synchronization

/// Counts the operations on identifiers and contents.
final class Tally: Sendable {
    typealias Counts = (hashes: Int, comparisons: Int, contents: Int)

    private let hashed = Atomic(0)
    private let compared = Atomic(0)
    private let contentCompared = Atomic(0)

    private let made = Atomic(0)

    /// A different number for each new value.
    func serial() -> Int { made.add(1, ordering: .relaxed).newValue }

    func hash() { hashed.add(1, ordering: .relaxed) }
    func compare() { compared.add(1, ordering: .relaxed) }
    func compareContent() { contentCompared.add(1, ordering: .relaxed) }

    /// Returns the counts since the last call.
    func take() -> Counts {
        (
            hashed.exchange(0, ordering: .relaxed), compared.exchange(0, ordering: .relaxed),
            contentCompared.exchange(0, ordering: .relaxed)
        )
    }
}

/// Each value has different bits, so only `==` finds that two are equal.
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

typealias CountedSnapshot = DiffableSnapshot<CountedRow, CountedRow>

/// Makes sections and items, with separate counts for each kind. Numbers start at 0, and all sections have the same
/// number of items. The items of a snapshot are hashed.
struct CountedMaker {
    let items = Tally()
    let sections = Tally()

    func itemID(_ number: Int) -> CountedID { CountedID(number: number, tally: items) }
    func item(_ number: Int, content: Int = 0) -> CountedRow { CountedRow(id: itemID(number), content: content) }
    func sectionID(_ number: Int) -> CountedID { CountedID(number: number, tally: sections) }
    func section(_ number: Int, content: Int = 0) -> CountedRow { CountedRow(id: sectionID(number), content: content) }

    func snapshot(items count: Int, sections: Int = 1) throws -> CountedSnapshot {
        try snapshot(Array(0..<count), sections: sections)
    }

    func snapshot(_ numbers: [Int], sections: Int = 1, content: Int = 0) throws -> CountedSnapshot {
        var snapshot = CountedSnapshot()
        snapshot.appendSections((0..<sections).map { section($0) })
        let size = numbers.count / sections
        for section in 0..<sections {
            let part = numbers[section * size..<section * size + size]
            try snapshot.appendItems(part.map { item($0, content: content) }, toSection: sectionID(section))
        }
        try snapshot.validate()
        return snapshot
    }

    /// Returns the operations on items and on sections while `body` runs.
    func cost(of body: () throws -> Void) rethrows -> (items: Tally.Counts, sections: Tally.Counts) {
        _ = (items.take(), sections.take())
        try body()
        return (items.take(), sections.take())
    }
}
