import Glibc
import JokesCore
import JokesExchange
import JokesStore
import TestSupport
import Testing
import Unix

@Suite struct JournalTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/\(Journal.fileName)"
    }

    @Test("every change is read back as it was appended, and the file is for its owner alone")
    func roundTrip() throws {
        try checkProperty("changes are read back", cases: 300, generate: { JournalRun(&$0, size: $1) }) { run in
            unlink(path)
            let journal = try Journal(at: path)
            for lines in run.lines { try journal.append(lines.bytes) }
            try journal.sync()
            let contents = JournalContents(try Journal(at: path).bytes())
            try hold(contents.entries.map(\.record.change) == run.changes.flatMap(\.self), "the changes differ")
            try hold(contents.damagedLines == 0 && contents.end == journal.end, "there is damage")
            try hold(contents.position == run.lines.last?.position, "the position differs")
            var facts = stat()
            try hold(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600, "the mode is wrong")
        }
    }

    @Test("a journal that is cut off anywhere has each change or batch completely or not at all, and no damage")
    func torn() throws {
        try checkProperty("a torn journal", cases: 100, generate: { JournalRun(&$0, size: $1) }) { run in
            let bytes = run.lines.flatMap(\.bytes)
            var ends = [0]
            for lines in run.lines { ends.append(ends[ends.endIndex - 1] + lines.bytes.count) }
            for size in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 200)) {
                let contents = JournalContents(Array(bytes.prefix(size)))
                let whole = ends.lastIndex { $0 <= size } ?? 0
                try hold(contents.end == ends[whole], "\(size) bytes: the end is \(contents.end)")
                let changes = contents.entries.map(\.record.change)
                try hold(changes == run.changes.prefix(whole).flatMap(\.self), "\(size) bytes: the changes differ")
                try hold(contents.damagedLines == 0 && contents.unconfirmed.isEmpty, "\(size) bytes: there is damage")
            }
        }
    }

    @Test("damage affects only the lines that it touches")
    func damaged() throws {
        try checkProperty("a damaged journal", cases: 500, generate: { DamagedRun(&$0, size: $1) }) { damaged in
            let contents = JournalContents(damaged.bytes)
            let read = (contents.entries + contents.unconfirmed).map(\.record)
            // A damaged batch at the end may be one that was never acknowledged.
            let confirmed = damaged.untouched.filter { $0.batch == nil }
            try hold(confirmed.allSatisfy(read.contains), "an untouched line is missing")
            let last = damaged.records.last?.batch == nil ? damaged.records.last?.sequence ?? 0 : damaged.lastBatch
            let before = damaged.untouched.filter { $0.sequence < last }
            try hold(before.allSatisfy(read.contains), "a line of an acknowledged batch is missing")
            try hold(read.allSatisfy(damaged.records.contains), "a line is not as it was written")
        }
    }

    @Test("a line is one JSON object with the member names of the manual")
    func format() throws {
        let favorite = Favorite(
            id: JokeID(rawValue: "a:1"), content: JokeContent(text: .single("A duck\ncrosses the road.")),
            favoritedAt: Fixture.noon, note: "mine")
        var lines = JournalLines(after: nil)
        try lines.append(.note(favorite), at: Fixture.noon, in: .init(index: 1, isLast: true))
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

/// Changes as a store makes them: single ones and batches, one after another.
private struct JournalRun: CustomStringConvertible {
    var changes: [[JournalRecord.Change]] = []
    var lines: [JournalLines] = []

    init(_ random: inout SplitMix64, size: Int) {
        for number in 0..<random.int(in: 1..<size + 2) {
            let isBatch = random.chance(1, in: 3)
            let some = (0..<(isBatch ? random.int(in: 1..<6) : 1)).map { random.change(number * 10 + $0) }
            changes.append(some)
            // The encoder accepts all clean text.
            var made = JournalLines(after: lines.last?.position)
            for (index, change) in some.enumerated() {
                let batch = JournalRecord.Batch(index: index + 1, isLast: index + 1 == some.count)
                try? made.append(change, at: Fixture.noon, in: isBatch ? batch : nil)
            }
            lines.append(made)
        }
    }

    var description: String {
        lines.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
    }
}

/// A journal in which bytes were changed or removed.
private struct DamagedRun: CustomStringConvertible {
    var bytes: [UInt8]
    let records: [JournalRecord]
    /// The records of the undamaged lines.
    let untouched: [JournalRecord]
    /// The number of the first line of the last batch.
    let lastBatch: Int64

    init(_ random: inout SplitMix64, size: Int) {
        let run = JournalRun(&random, size: size)
        let whole = run.lines.flatMap(\.bytes)
        records = JournalContents(whole).entries.map(\.record)
        lastBatch = Int64(records.count - (run.changes.last?.count ?? 0) + 1)
        var lines = whole.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        var touched: Set<Int> = []
        for _ in 0..<random.int(in: 1..<4) {
            let line = random.int(in: 0..<lines.count)
            let place = random.int(in: 0..<lines[line].count)
            touched.insert(line)
            switch random.int(in: 0..<3) {
            case 0: lines[line][place] ^= UInt8(1 << random.int(in: 0..<8))
            case 1: lines[line] = Array(lines[line].prefix(place))
            default: lines[line].removeSubrange(place..<min(lines[line].count, place + 9))
            }
            if lines[line].isEmpty { lines[line] = [0] }
        }
        bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        untouched = records.indices.filter { !touched.contains($0) }.map { [records] in records[$0] }
    }

    var description: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension SplitMix64 {
    fileprivate mutating func change(_ number: Int) -> JournalRecord.Change {
        let texts = ["Why did duck \(number) cross?", "\"\\ \(number) é 🦆 {\n}", "日本 \(number) \u{2028} sum"]
        let text = texts[int(in: 0..<texts.count)]
        let time = Fixture.noon.advanced(by: .microseconds(int(in: 0..<1 << 40)))
        guard let made = try? joke("a", "\(number)", text, chance(1, in: 2) ? "Side \(number)." : nil) else {
            return .unhide(Fingerprint(of: .single(text)))
        }
        let note = chance(1, in: 2) ? "note \(number)" : nil
        let favorite = Favorite(
            id: made.id, content: made.content, favoritedAt: time, firstSeen: Fixture.noon, note: note)
        switch int(in: 0..<5) {
        case 0: return .note(favorite)
        case 1: return .unfavorite(made.fingerprint)
        case 2: return .hide(HiddenMark(fingerprint: made.fingerprint, hiddenAt: time))
        case 3: return .unhide(made.fingerprint)
        default: return .favorite(favorite)
        }
    }
}
