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

    private func overTheWire<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    }
}
