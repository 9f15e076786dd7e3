import Diffable
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// What the engine makes of a difference is what docs/protocol.md tells strangers to do.
@Suite struct DifferenceStepsTests {
    private struct Received {
        var picture: JokeSnapshot
        var difference: Wire.Difference
        var meant: JokeSnapshot
    }

    private func sent(_ random: inout SplitMix64, size: Int) -> Received {
        let (old, new) = (randomSnapshot(&random, size: size), randomSnapshot(&random, size: size))
        let difference = SnapshotDifference(from: old, to: new)
        return Received(picture: old, difference: Wire.Difference(difference, base: 1, to: new), meant: new)
    }

    @Test("whoever takes the protocol's steps on plain lists gets the new picture")
    func steps() throws {
        try checkLaw("the protocol's steps", cases: 1_000, maxSize: 24) { random, size in
            sent(&random, size: size)
        } law: { received in
            var stranger = StepByStepClient(received.picture)
            try stranger.apply(received.difference)
            try hold(stranger.sections == StepByStepClient(received.meant).sections, "another picture")
        }
    }

    @Test("a data source that takes what came over the wire tells its observers the difference that was sent")
    func told() throws {
        try checkLaw("told again", cases: 500, maxSize: 24) { random, size in
            sent(&random, size: size)
        } law: { received in
            let source = JokeDataSource(received.picture)
            var told: [SnapshotDifference<Section, Item>] = []
            let observation = source.observe { told.append($0.difference) }
            try source.apply(SnapshotDifference(received.difference, from: source.snapshot()))
            let expected = SnapshotDifference(from: received.picture, to: received.meant)
            try hold(told == (expected.isEmpty ? [] : [expected]), "\(told) is not \(expected)")
            try hold(source.snapshot() == received.meant, "another picture")
            observation.cancel()
        }
    }

    @Test("a garbled difference is refused, or means what the protocol's steps make of it")
    func garbled() throws {
        var refused = 0
        try checkLaw("garbled difference", cases: 1_500, maxSize: 12) { random, size in
            var received = sent(&random, size: size)
            for _ in 0...random.int(in: 0..<2) { received.difference.garble(&random) }
            return received
        } law: { received in
            let result: JokeSnapshot
            do {
                result = try received.picture.applying(
                    SnapshotDifference(received.difference, from: received.picture))
            } catch {
                refused += 1
                return
            }
            var stranger = StepByStepClient(received.picture)
            try stranger.apply(received.difference)
            try hold(stranger.sections == StepByStepClient(result).sections, "\(result) is not what the steps lead to")
        }
        #expect((scaled(150)..<scaled(1_450)).contains(refused))
    }

    private static let places = [Int.min, .min + 1, -1, .max - 1, .max]

    @Test("an index that no list has is refused, to the ends of what a number holds", arguments: places)
    func farIndex(index: Int) throws {
        var snapshot = JokeSnapshot()
        try snapshot.appendSections([.jokes(JokesHeader()), .searchResults(query: "", count: 0, isExact: true)])
        try snapshot.appendItems([.loading(0), .loading(1)], toSection: .jokes)
        let arriving = [Wire.Item(.loading(5)), Wire.Item(.loading(6)), Wire.Item(.loading(7))]
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
                    Wire.SectionPlace(section: Wire.Section(.favoriteJokes(count: 1)), index: index)
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

    @Test("what does not fit is named")
    func named() throws {
        var snapshot = JokeSnapshot()
        try snapshot.appendSections([.jokes(JokesHeader())])
        try snapshot.appendItems([.loading(0)], toSection: .jokes)
        let bad: [(String, (inout Wire.Difference) -> Void)] = [
            ("loading/7", { $0.deletedItems = ["loading/7"] }),
            ("nonsense", { $0.movedItems = [Wire.ItemMove(id: "nonsense", section: "jokes", index: 0)] }),
            ("nonsense", { $0.deletedSections = ["nonsense"] }),
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
    /// One change too many, too few, or in another place.
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
