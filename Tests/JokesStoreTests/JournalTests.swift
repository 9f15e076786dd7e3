import Glibc
import JokesCore
import JokesExchange
import JokesStore
import TestSupport
import Testing
import Unix

/// The format of the journal, and the changes that can be read after damage.
@Suite struct JournalTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/\(Journal.fileName)"
    }

    @Test("every change is read as it was appended, and the file has mode 0600")
    func roundTrip() throws {
        try checkProperty("appended changes", cases: 300, generate: { WrittenJournal(&$0, size: $1) }) { written in
            unlink(path)
            let journal = try Journal(at: path)
            for lines in written.lines { try journal.append(lines.bytes) }
            try journal.sync()
            let contents = JournalContents(try Journal(at: path).bytes())
            try verify(contents.entries.map(\.record.change) == written.changes.flatMap(\.self), "the changes differ")
            try verify(contents.damagedLines == 0 && contents.end == journal.end, "there is damage")
            try verify(contents.position == written.lines.last?.position, "the position differs")
            var facts = stat()
            try verify(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600, "the mode is wrong")
        }
    }

    @Test("in a truncated journal, each change or batch is complete or absent, and no line counts as damaged")
    func truncated() throws {
        try checkProperty("a truncated journal", cases: 100, generate: { WrittenJournal(&$0, size: $1) }) { written in
            let bytes = written.lines.flatMap(\.bytes)
            var ends = [0]
            for lines in written.lines { ends.append(ends[ends.endIndex - 1] + lines.bytes.count) }
            for size in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 200)) {
                let contents = JournalContents(Array(bytes.prefix(size)), acceptsDamagedBatch: true)
                let completeCount = ends.lastIndex { $0 <= size } ?? 0
                try verify(contents.end == ends[completeCount], "\(size) bytes: the end is \(contents.end)")
                let changes = contents.entries.map(\.record.change)
                try verify(
                    changes == written.changes.prefix(completeCount).flatMap(\.self),
                    "\(size) bytes: the changes differ")
                try verify(contents.damagedLines == 0, "\(size) bytes: there is damage")
            }
        }
    }

    @Test("undamaged lines of a damaged journal are read")
    func damaged() throws {
        try checkProperty("a damaged journal", cases: 500, generate: { DamagedJournal(&$0, size: $1) }) { damaged in
            let read = JournalContents(damaged.bytes, acceptsDamagedBatch: true).entries.map(\.record)
            // The last batch, if damaged, may not have been acknowledged.
            let singleLines = damaged.undamaged.filter { $0.batch == nil }
            try verify(singleLines.allSatisfy(read.contains), "an undamaged line is missing")
            let before = damaged.undamaged.filter { $0.sequence < damaged.lastElementStart }
            try verify(before.allSatisfy(read.contains), "a line of an acknowledged batch is missing")
            try verify(read.allSatisfy(damaged.records.contains), "a record differs from the written one")
        }
    }

    @Test("a line is a JSON object whose last member is the checksum of the other members")
    func format() throws {
        let favorite = Favorite(
            id: JokeID(rawValue: "a:1"), content: JokeContent(text: .single("A duck\ncrosses the road.")),
            favoritedAt: Fixture.now, note: "mine")
        var lines = JournalLines(after: nil)
        try lines.append(.note(favorite), at: Fixture.now, in: .init(index: 1, isLast: true))
        let text = String(decoding: lines.bytes, as: UTF8.self)
        let fingerprint = Fingerprint(of: favorite.content.text).hex
        let body =
            #"{"seq":1,"at":1700000000000000,"op":"note","fingerprint":"\#(fingerprint)","joke":{"id":"a:1","#
            + #""setup":"A duck\ncrosses the road.","safety":"unknown","firstSeen":"2023-11-14T22:13:20Z","#
            + #""favoritedAt":"2023-11-14T22:13:20Z","note":"mine"},"batch":1,"end":true"#
        let sum = SHA256.digest(of: Array(body.utf8)).prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        #expect(text == body + #","sum":"\#(sum.joined())"}"# + "\n")
    }
}

/// Random changes, and the journal lines for them. Each element is a single change or a batch.
private struct WrittenJournal: CustomStringConvertible {
    var changes: [[JournalRecord.Change]] = []
    var lines: [JournalLines] = []

    init(_ random: inout SplitMix64, size: Int) {
        for number in 0..<random.int(in: 1..<size + 2) {
            let isBatch = random.chance(1, in: 3)
            let group = (0..<(isBatch ? random.int(in: 1..<6) : 1)).map { random.change(number * 10 + $0) }
            changes.append(group)
            var encoded = JournalLines(after: lines.last?.position)
            for (index, change) in group.enumerated() {
                let batch = JournalRecord.Batch(index: index + 1, isLast: index + 1 == group.count)
                // The encoder accepts every change with clean text.
                try? encoded.append(change, at: Fixture.now, in: isBatch ? batch : nil)
            }
            lines.append(encoded)
        }
    }

    var description: String {
        lines.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    }
}

/// A journal in which bytes were changed or removed.
private struct DamagedJournal: CustomStringConvertible {
    var bytes: [UInt8]
    let records: [JournalRecord]
    /// The records of the undamaged lines.
    let undamaged: [JournalRecord]
    /// The sequence number of the first line of the last element, which is a single change or a batch.
    let lastElementStart: Int64

    init(_ random: inout SplitMix64, size: Int) {
        let written = WrittenJournal(&random, size: size)
        let writtenBytes = written.lines.flatMap(\.bytes)
        records = JournalContents(writtenBytes).entries.map(\.record)
        lastElementStart = Int64(records.count - (written.changes.last?.count ?? 0) + 1)
        var lines = writtenBytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        var damagedLines: Set<Int> = []
        for _ in 0..<random.int(in: 1..<4) {
            let line = random.int(in: 0..<lines.count)
            let position = random.int(in: 0..<lines[line].count)
            damagedLines.insert(line)
            switch random.int(in: 0..<3) {
            case 0: lines[line][position] ^= UInt8(1 << random.int(in: 0..<8))
            case 1: lines[line] = Array(lines[line].prefix(position))
            default: lines[line].removeSubrange(position..<min(lines[line].count, position + 9))
            }
            if lines[line].isEmpty { lines[line] = [0] }
        }
        bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        undamaged = records.indices.filter { !damagedLines.contains($0) }.map { [records] in records[$0] }
    }

    var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension SplitMix64 {
    /// Returns a random change of the joke with the number.
    fileprivate mutating func change(_ number: Int) -> JournalRecord.Change {
        let texts = ["Why did duck \(number) cross?", "\"\\ \(number) é 🦆 {\n}", "日本 \(number) \u{2028} sum"]
        let text = texts[int(in: 0..<texts.count)]
        let time = Fixture.now.advanced(by: .microseconds(int(in: 0..<1 << 40)))
        guard let joke = try? JokesStoreTests.joke("a", "\(number)", text, chance(1, in: 2) ? "Side \(number)." : nil)
        else {
            return .unhide(Fingerprint(of: .single(text)))
        }
        let note = chance(1, in: 2) ? "note \(number)" : nil
        let favorite = Favorite(
            id: joke.id, content: joke.content, favoritedAt: time, firstSeen: Fixture.now, note: note)
        switch int(in: 0..<5) {
        case 0: return .note(favorite)
        case 1: return .unfavorite(joke.fingerprint)
        case 2: return .hide(HiddenMark(fingerprint: joke.fingerprint, hiddenAt: time))
        case 3: return .unhide(joke.fingerprint)
        default: return .favorite(favorite)
        }
    }
}
