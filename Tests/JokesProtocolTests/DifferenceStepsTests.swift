import Diffable
import JokesCore
import TestSupport
import Testing

@testable import JokesProtocol

/// The engine applies a difference with the same result as the steps of docs/protocol.md.
@Suite struct DifferenceStepsTests {
    private struct Received {
        var before: JokeSnapshot
        var difference: Wire.Difference
        var after: JokeSnapshot
    }

    private func sent(_ random: inout SplitMix64, size: Int) -> Received {
        let (old, new) = (randomSnapshot(&random, size: size), randomSnapshot(&random, size: size))
        let difference = Wire.Difference(difference(from: old, to: new), base: 1, to: new)
        return Received(before: old, difference: difference, after: new)
    }

    @Test("the steps of the protocol, applied to plain lists, give the new snapshot")
    func steps() throws {
        try checkProperty("protocol steps", cases: 1_000, maxSize: 24) { random, size in
            sent(&random, size: size)
        } property: { received in
            var client = StepByStepClient(received.before)
            try client.apply(received.difference)
            try verify(client.sections == StepByStepClient(received.after).sections, "wrong snapshot")
        }
    }

    @Test("a garbled difference is refused, or has the same result as the steps of the protocol")
    func garbled() throws {
        var refused = 0
        try checkProperty("garbled difference", cases: 1_500, maxSize: 12) { random, size in
            var received = sent(&random, size: size)
            for _ in 0...random.int(in: 0..<2) { received.difference.garble(&random) }
            return received
        } property: { received in
            let result: JokeSnapshot
            do {
                result = try received.before.applying(
                    SnapshotDifference(received.difference, from: received.before))
            } catch {
                refused += 1
                return
            }
            var client = StepByStepClient(received.before)
            try client.apply(received.difference)
            try verify(client.sections == StepByStepClient(result).sections, "\(result) is not the result of the steps")
        }
        #expect((scaled(150)..<scaled(1_450)).contains(refused))
    }

    private static let indices = [Int.min, .min + 1, -1, .max - 1, .max]

    @Test("an index outside the list is refused, up to the limits of Int", arguments: indices)
    func farIndex(index: Int) throws {
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.jokes(JokesHeader()), .searchResults(query: "", count: 0, isExact: true)])
        try snapshot.appendItems([.loading(0), .loading(1)], toSection: .jokes)
        let arriving: [Item] = [.loading(5), .loading(6), .loading(7)]
        let bad: [(inout Wire.Difference) -> Void] = [
            { $0.insertedItems = [Wire.ItemRun(section: "jokes", index: index, items: arriving)] },
            {
                $0.insertedItems = [
                    Wire.ItemRun(section: "jokes", index: 0, items: [arriving[0]]),
                    Wire.ItemRun(section: "jokes", index: index, items: [arriving[1]]),
                ]
            },
            { $0.movedItems = [Wire.ItemMove(id: "loading/0", section: "searchResults", index: index)] },
            { $0.movedSections = [Wire.SectionMove(id: "jokes", index: index)] },
            {
                $0.insertedSections = [
                    Wire.SectionPlace(section: .favoriteJokes(count: 1), index: index)
                ]
            },
        ]
        for (number, change) in bad.enumerated() {
            var difference = Wire.Difference(base: 0)
            change(&difference)
            #expect(throws: DiffableError.self, "case \(number)") {
                try SnapshotDifference(difference, from: snapshot)
            }
        }
    }

    @Test("the error names the ID that does not fit")
    func named() throws {
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.jokes(JokesHeader())])
        try snapshot.appendItems([.loading(0)], toSection: .jokes)
        let bad: [(String, (inout Wire.Difference) -> Void)] = [
            ("loading/7", { $0.deletedItems = ["loading/7"] }),
            ("malformed", { $0.movedItems = [Wire.ItemMove(id: "malformed", section: "jokes", index: 0)] }),
            ("malformed", { $0.deletedSections = ["malformed"] }),
            ("favoriteJokes", { $0.movedSections = [Wire.SectionMove(id: "favoriteJokes", index: 0)] }),
            ("searchResults", { $0.insertedItems = [Wire.ItemRun(section: "searchResults", index: 0, items: [])] }),
            ("jokes", { $0.deletedSections = ["jokes"] }),
        ]
        for (name, change) in bad {
            var difference = Wire.Difference(base: 0)
            change(&difference)
            let error = #expect(throws: (any Error).self) { try SnapshotDifference(difference, from: snapshot) }
            #expect(error.map { "\($0)".contains(name) } == true, "\(name) is not in \(String(describing: error))")
        }
    }
}

extension Wire.Difference {
    /// Removes, repeats or moves one change.
    fileprivate mutating func garble(_ random: inout SplitMix64) {
        switch random.int(in: 0..<8) {
        case 0: garbled(&deletedItems, &random) { _, _ in }
        case 1: garbled(&deletedSections, &random) { _, _ in }
        case 2: garbled(&movedSections, &random) { $0.index += $1 }
        case 3: garbled(&insertedSections, &random) { $0.index += $1 }
        case 4: garbled(&movedItems, &random) { $0.index += $1 }
        case 5: garbled(&insertedItems, &random) { $0.index += $1 }
        case 6: garbled(&updatedSections, &random) { _, _ in }
        default: garbled(&updatedItems, &random) { _, _ in }
        }
    }

    private func garbled<Change>(
        _ changes: inout [Change]?, _ random: inout SplitMix64, shift: (inout Change, Int) -> Void
    ) {
        guard var list = changes, !list.isEmpty else { return }
        let index = random.int(in: 0..<list.count)
        switch random.int(in: 0..<3) {
        case 0: list.remove(at: index)
        case 1: list.append(list[index])
        default: shift(&list[index], random.chance(1, in: 2) ? 1 : -1)
        }
        changes = list
    }
}
