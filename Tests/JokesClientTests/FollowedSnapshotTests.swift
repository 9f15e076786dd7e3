import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

@Suite struct FollowedSnapshotTests {
    private func whole(_ numbers: [Int], epoch: String = "a", generation: Int64 = 1) throws -> WatchMethod.Reply {
        let piece = Wire.pieces(of: try jokeSnapshot(numbers))[0]
        return WatchMethod.Reply(epoch: epoch, generation: generation, complete: true, snapshot: piece)
    }

    private func difference(
        _ old: [Int], _ new: [Int], epoch: String = "a", base: Int64 = 1
    ) throws -> WatchMethod.Reply {
        let (old, new) = (try jokeSnapshot(old), try jokeSnapshot(new))
        let wire = Wire.Difference(try SnapshotDifference(from: old, to: new), base: base, to: new)
        return WatchMethod.Reply(epoch: epoch, generation: base + 1, difference: wire)
    }

    /// A snapshot in which each third item is of an unknown kind, in a known and in an unknown section;
    /// and its known part.
    private func strange(_ numbers: [Int]) throws -> (sent: JokeSnapshot, shown: JokeSnapshot) {
        func unknown(_ number: Int) -> UnknownKind { UnknownKind(kind: "video", id: "video/\(number)") }
        var (sent, shown) = (JokeSnapshot(), try jokeSnapshot(numbers.filter { $0 % 3 != 0 }))
        try shown.replaceSection(.jokes(JokesHeader(shown: numbers.count)))
        let items = try jokeSnapshot(numbers).items
        sent.appendSections([.unknown(UnknownKind(kind: "videos", id: "videos"))])
        sent.appendSections([.jokes(JokesHeader(shown: numbers.count))])
        try sent.appendItems([.loading(numbers.count)], toSection: .unknown("videos"))
        let rows = zip(numbers, items).map { number, item in number % 3 == 0 ? Item.unknown(unknown(number)) : item }
        try sent.appendItems(rows, toSection: .jokes)
        return (sent, shown)
    }

    @Test("items of unknown kinds keep their positions and are not shown")
    func unknownKinds() throws {
        try checkProperty("unknownKinds", cases: 500, maxSize: 12) { random, size in
            (0...size).map { _ in Array(0..<12).shuffled(using: &random).prefix(random.int(in: 0..<13)).map(\.self) }
        } property: { snapshots in
            var followed = FollowedSnapshot()
            let first = try strange(snapshots[0])
            for (number, piece) in Wire.pieces(of: first.sent, bytesEach: 1).enumerated() {
                _ = try followed.take(
                    WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: piece))
                guard let beginning = try followed.beginning() else {
                    throw BrokenProperty("nothing is shown at \(number)")
                }
                try verify(beginning.sections == first.shown.sections, "other sections in the beginning")
            }
            _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: true, snapshot: []))
            try verify(followed.snapshot == first.shown, "another first snapshot")
            for (number, (old, new)) in zip(snapshots, snapshots.dropFirst()).enumerated() {
                let (before, after) = (try strange(old).sent, try strange(new))
                let difference = try SnapshotDifference(from: before, to: after.sent)
                let wire = Wire.Difference(difference, base: Int64(number + 1), to: after.sent)
                _ = try followed.take(
                    WatchMethod.Reply(epoch: "a", generation: Int64(number + 2), difference: wire))
                try verify(followed.snapshot == after.shown, "\(new) is not what it leads to")
            }
        }
    }

    @Test("a piece of another generation begins a new snapshot")
    func newPieces() throws {
        var followed = FollowedSnapshot()
        let pieces = Wire.pieces(of: try jokeSnapshot([1, 2, 3]), bytesEach: 1)
        for piece in pieces.dropLast() {
            _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: piece))
        }
        for piece in Wire.pieces(of: try jokeSnapshot([4, 1]), bytesEach: 1) {
            _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 2, complete: false, snapshot: piece))
        }
        #expect(try followed.beginning() == jokeSnapshot([4, 1]))
        #expect(try followed.take(WatchMethod.Reply(epoch: "a", generation: 2, complete: true, snapshot: [])) != nil)
        #expect(try followed.snapshot == jokeSnapshot([4, 1]))
        #expect(followed.parameters(view: nil) == WatchMethod.Parameters(epoch: "a", generation: 2))
    }

    @Test("a new connection continues from the known generation, and an inconsistent snapshot is requested again")
    func resumption() throws {
        var followed = FollowedSnapshot()
        #expect(followed.parameters(view: nil) == WatchMethod.Parameters())
        _ = try followed.take(try whole([1, 2]))
        #expect(followed.parameters(view: nil) == WatchMethod.Parameters(epoch: "a", generation: 1))
        followed.begin()
        _ = try followed.take(try difference([1, 2], [2]))
        #expect(try followed.snapshot == jokeSnapshot([2]))
        followed.forget()
        #expect(followed.parameters(view: nil) == WatchMethod.Parameters())
        #expect(try followed.snapshot == jokeSnapshot([2]))
    }

    @Test("a joke that comes twice is an inconsistent snapshot, also before all pieces are there")
    func duplicates() throws {
        var followed = FollowedSnapshot()
        let piece = Wire.pieces(of: try jokeSnapshot([1, 2]))[0]
        for _ in 0..<2 {
            _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: piece))
        }
        #expect(throws: ClientError.self) { try followed.beginning() }
        let end = WatchMethod.Reply(epoch: "a", generation: 1, complete: true, snapshot: [])
        #expect(throws: ClientError.self) { try followed.take(end) }
    }

    @Test("only the first snapshot can be shown before it is complete")
    func beginnings() throws {
        var followed = FollowedSnapshot()
        #expect(try followed.beginning() == nil)
        let piece = Wire.pieces(of: try jokeSnapshot([1, 2]))[0]
        let rest = Wire.pieces(of: try jokeSnapshot([3]))[0]
        _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: piece))
        #expect(try followed.beginning() == jokeSnapshot([1, 2]))
        _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: rest))
        #expect(try followed.beginning()?.itemIdentifiers.count == 3)
        _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: true, snapshot: []))
        #expect(try followed.beginning() == nil)
        #expect(followed.snapshot?.itemIdentifiers.count == 3)
        _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 2, complete: false, snapshot: piece))
        #expect(try followed.beginning() == nil)
    }

    @Test("pieces of an incomplete snapshot are dropped")
    func halfSnapshot() throws {
        var followed = FollowedSnapshot()
        let pieces = Wire.pieces(of: try jokeSnapshot([1, 2, 3]), bytesEach: 1)
        _ = try followed.take(WatchMethod.Reply(epoch: "a", generation: 1, complete: false, snapshot: pieces[0]))
        #expect(followed.snapshot == nil)
        followed.begin()
        _ = try followed.take(try whole([7]))
        #expect(try followed.snapshot == jokeSnapshot([7]))
    }

    @Test("a difference to another generation or epoch is refused, and changes nothing")
    func misfits() throws {
        var followed = FollowedSnapshot()
        #expect(throws: ClientError.self) { try followed.take(difference([1], [2])) }
        _ = try followed.take(try whole([1, 2]))
        for wrong in [
            try difference([1, 2], [1], base: 2), try difference([1, 2], [1], epoch: "b"), try difference([8, 9], [8]),
        ] {
            #expect(throws: ClientError.self) { try followed.take(wrong) }
            #expect(try followed.snapshot == jokeSnapshot([1, 2]))
        }
    }

    @Test("the pauses grow from 0.5 s to 30 s, and begin again after a success")
    func pauses() {
        var pauses = RetryPauses()
        let seconds = (0..<9).map { _ in pauses.next(random: 0.5) / .seconds(1) }
        #expect(seconds == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        pauses.reset()
        #expect(pauses.next(random: 0) == .milliseconds(375))
        #expect(pauses.next(random: 0.999) < .milliseconds(1250))
        pauses.reset()
        #expect(pauses.next(after: .refused(.cannotStart(reason: "The disk is broken.")), random: 0.5) == .seconds(30))
        #expect(pauses.next(after: .unreachable(path: "/s", reason: "gone", errno: 2), random: 0.5) == .seconds(30))
        for _ in 0..<1000 { _ = pauses.next(random: 0.5) }
        #expect(pauses.next(random: 0.5) == .seconds(30))
    }
}
