import Diffable
import FoundationEssentials
import JokesCore
import TestSupport
import Testing

@testable import JokesProtocol

@Suite struct DifferenceConversionTests {
    private struct Change {
        var from: JokeSnapshot
        var to: JokeSnapshot
    }

    @Test("a decoded difference leads from any snapshot to any other")
    func roundTrip() throws {
        try checkProperty("wire difference", maxSize: 40) { random, size in
            Change(from: randomSnapshot(&random, size: size), to: randomSnapshot(&random, size: size))
        } property: { change in
            let difference = try SnapshotDifference(from: change.from, to: change.to)
            let wire = try overTheWire(Wire.Difference(difference, base: 3, to: change.to))
            try verify(wire.base == 3, "the base was lost")
            try verify(
                try change.from.applying(SnapshotDifference(wire, from: change.from)) == change.to,
                "wrong snapshot: \(wire)")
        }
    }

    @Test("the difference of equal snapshots has only its base")
    func empty() throws {
        var random = SplitMix64(seed: 1)
        let snapshot = randomSnapshot(&random, size: 20)
        let difference = Wire.Difference(try SnapshotDifference(from: snapshot, to: snapshot), base: 9, to: snapshot)
        #expect(difference == Wire.Difference(base: 9))
        #expect(try JSONEncoder().encode(difference) == Data(#"{"base":9}"#.utf8))
    }

    @Test("pieces of any size make up the whole snapshot")
    func pieces() throws {
        try checkProperty("snapshot in pieces", cases: 500, maxSize: 60) { random, size in
            (randomSnapshot(&random, size: size), Int.random(in: 0...4000, using: &random))
        } property: { snapshot, limit in
            var received: [Wire.FilledSection] = []
            for piece in Wire.pieces(of: snapshot, bytesEach: limit) {
                Wire.append(try overTheWire(piece), to: &received)
            }
            try verify(try Wire.snapshot(of: received) == snapshot, "wrong snapshot")
        }
    }

    @Test("the first of several pieces has the beginning of every section")
    func firstPiece() throws {
        try checkProperty("first piece", cases: 100, maxSize: 400) { random, size in
            (randomSnapshot(&random, size: size), Int.random(in: 20_000...100_000, using: &random))
        } property: { snapshot, limit in
            let pieces = Wire.pieces(of: snapshot, bytesEach: limit)
            guard pieces.count > 1 else { return }
            let first = try Wire.snapshot(of: pieces[0])
            try verify(first.sections == snapshot.sections, "missing sections")
            for section in snapshot.sections {
                let all = snapshot[section.id]
                let beginning = first[section.id]
                try verify(all.starts(with: beginning), "wrong beginning of \(section.id)")
                let next = all.prefix(beginning.count + 1).reduce(0) { $0 + $1.estimatedBytes }
                let isFull = beginning.count == SnapshotPieces.maxItemsAtFirst || next > limit / snapshot.sections.count
                try verify(beginning.count == all.count || isFull, "only \(beginning.count) items of \(section.id)")
            }
        }
    }

    @Test("the difference for one new joke among fifty takes less than 1 KiB")
    func sizeOfOneJoke() throws {
        var before = JokeSnapshot()
        before.appendSections([.jokes(JokesHeader(shown: 49))])
        try before.appendItems((1..<50).map(joke), toSection: .jokes)
        var after = JokeSnapshot()
        after.appendSections([.jokes(JokesHeader(shown: 50))])
        try after.appendItems((0..<50).map(joke), toSection: .jokes)
        let difference = Wire.Difference(try SnapshotDifference(from: before, to: after), base: 1, to: after)
        #expect(difference.insertedItems?.count == 1)
        #expect(try JSONEncoder().encode(difference).count < 1024)
    }

    private func joke(_ number: Int) -> Item {
        let text = JokeText.twoPart(
            setup: "How many numbers like \(number) does it take to fill a typical line of text in a test?",
            punchline: "Just this one, if it goes on a little longer.")
        let content = JokeContent(text: text, language: "en", categories: ["general"], safety: .safe)
        return .joke(
            Joke(
                id: JokeID(rawValue: "official:~00000000000000\(number + 10)"), content: content, isFavorite: false,
                firstSeen: Timestamp(microseconds: 1_790_000_000_000_000)))
    }

    @Test("a difference that does not fit the snapshot is refused")
    func misfits() throws {
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.jokes(JokesHeader())])
        try snapshot.appendItems([.loading(0), .loading(1)], toSection: .jokes)
        let run = Wire.ItemRun(section: "jokes", index: 3, items: [.loading(5)])
        let bad: [(inout Wire.Difference) -> Void] = [
            { $0.deletedItems = ["loading/7"] },
            { $0.deletedItems = ["loading/0", "loading/0"] },
            { $0.deletedItems = ["malformed"] },
            { $0.deletedSections = ["favoriteJokes"] },
            { $0.deletedSections = ["jokes"] },
            { $0.movedItems = [Wire.ItemMove(id: "loading/0", section: "favoriteJokes", index: 0)] },
            { $0.movedItems = [Wire.ItemMove(id: "loading/0", section: "jokes", index: 2)] },
            { $0.movedItems = [Wire.ItemMove(id: "loading/0", section: "jokes", index: -1)] },
            { $0.movedSections = [Wire.SectionMove(id: "jokes", index: 1)] },
            { $0.insertedItems = [run] },
            { $0.insertedItems = [Wire.ItemRun(section: "jokes", index: 0, items: [.loading(1)])] },
            { $0.insertedSections = [Wire.SectionPlace(section: .jokes(JokesHeader()), index: 0)] },
            { $0.updatedItems = [.loading(9)] },
            { $0.updatedSections = [.favoriteJokes(count: 1)] },
        ]
        for (number, change) in bad.enumerated() {
            var difference = Wire.Difference(base: 0)
            change(&difference)
            #expect(throws: (any Error).self, "case \(number)") {
                try snapshot.applying(SnapshotDifference(difference, from: snapshot))
            }
        }
    }

    private func overTheWire<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    }
}
