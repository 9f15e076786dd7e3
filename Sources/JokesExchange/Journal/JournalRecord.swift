import JSON
package import JokesCore

/// A change of what cannot be fetched again: one line of the journal.
package struct JournalRecord: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// Adds a favorite after all others, or replaces the one with the same text.
        case favorite(Favorite)
        /// Adds, changes or removes the note of a favorite. It has the whole favorite, so that one line is enough.
        case note(Favorite)
        case unfavorite(Fingerprint)
        case hide(HiddenMark)
        case unhide(Fingerprint)

        /// The fingerprint of the changed joke.
        package var fingerprint: Fingerprint {
            switch self {
            case .favorite(let favorite), .note(let favorite): Fingerprint(of: favorite.content.text)
            case .hide(let mark): mark.fingerprint
            case .unfavorite(let fingerprint), .unhide(let fingerprint): fingerprint
            }
        }
    }

    /// The position of a change among changes that are replayed together or not at all.
    package struct Batch: Hashable, Sendable {
        /// Counted from 1.
        package let index: Int
        package let isLast: Bool

        package init(index: Int, isLast: Bool) { (self.index, self.isLast) = (index, isLast) }
    }

    package let sequence: Int64
    package let at: Timestamp
    package let change: Change
    /// The position in a batch; nil for a single change.
    package let batch: Batch?
    /// True for a change that cannot be undone: that of an undo, and a line of a rewritten journal.
    package let isFinal: Bool

    package init(sequence: Int64, at: Timestamp, change: Change, batch: Batch? = nil, isFinal: Bool = false) {
        (self.sequence, self.at, self.change, self.batch) = (sequence, at, change, batch)
        self.isFinal = isFinal
    }
}

extension JournalRecord {
    /// The checksum of a line: the first digits of the SHA-256 digest of the bytes before its member `sum`.
    package typealias Checksum = String

    private static func checksum(of bytes: ArraySlice<UInt8>) -> Checksum {
        SHA256.shortDigest(of: Array(bytes), byteCount: 4)
    }

    /// Returns the end of a line, with its line feed.
    private static func end(_ checksum: Checksum) -> [UInt8] { Array(",\"sum\":\"\(checksum)\"}\n".utf8) }

    /// Returns the line with its line feed, and its checksum.
    package func line() throws -> (bytes: [UInt8], checksum: Checksum) {
        let bytes = try JSONEncoding.encode(Members(self)).dropLast()
        let checksum = Self.checksum(of: bytes)
        return (bytes + Self.end(checksum), checksum)
    }

    /// Reads a line without its line feed; nil if its checksum is wrong or it is no change.
    ///
    /// Text is cleaned as if it came from the network: anyone can write a file with correct checksums.
    package static func read(_ line: ArraySlice<UInt8>) -> (record: JournalRecord, checksum: Checksum)? {
        guard let checksum = validChecksum(of: line),
            let record = (try? JSONDocument(Array(line)).root.decode(Members.self))?.record
        else { return nil }
        return (record, checksum)
    }

    /// Returns whether all lines have the right checksums. Nothing is parsed.
    package static func hasValidChecksums(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).allSatisfy { validChecksum(of: $0) != nil }
    }

    /// Returns the checksum of a line without its line feed; nil if it is wrong.
    static func validChecksum(of line: ArraySlice<UInt8>) -> Checksum? {
        let body = line.dropLast(end("01234567").count - 1)
        let checksum = checksum(of: body)
        return !body.isEmpty && line[body.endIndex...].elementsEqual(end(checksum).dropLast()) ? checksum : nil
    }
}

/// The members of a line without its checksum.
private struct Members: Codable {
    enum Operation: String, Codable { case favorite, unfavorite, note, hide, unhide }

    let seq: Int64
    let at: Int64
    let op: Operation
    let fingerprint: String
    var hiddenAt: String?
    var joke: JokeRecord?
    var batch: Int?
    var end: Bool?
    var final: Bool?

    init(_ record: JournalRecord) {
        seq = record.sequence
        at = record.at.microseconds
        batch = record.batch?.index
        end = record.batch?.isLast == true ? true : nil
        final = record.isFinal ? true : nil
        fingerprint = record.change.fingerprint.hex
        switch record.change {
        case .favorite(let favorite): (op, joke) = (.favorite, JokeRecord(favorite))
        case .note(let favorite): (op, joke) = (.note, JokeRecord(favorite))
        case .unfavorite: op = .unfavorite
        case .hide(let mark): (op, hiddenAt) = (.hide, mark.hiddenAt.description)
        case .unhide: op = .unhide
        }
    }

    private static let maxSequence: Int64 = 1 << 53

    /// Nil if it is no change: anyone can write a line with a right checksum.
    var record: JournalRecord? {
        guard (1...Self.maxSequence).contains(seq), batch.map({ (1...seq).contains(Int64($0)) }) ?? true, let change
        else { return nil }
        return JournalRecord(
            sequence: seq, at: Timestamp(microseconds: at), change: change,
            batch: batch.map { JournalRecord.Batch(index: $0, isLast: end ?? false) }, isFinal: final ?? false)
    }

    private var change: JournalRecord.Change? {
        guard let fingerprint = Fingerprint(hex: fingerprint) else { return nil }
        switch op {
        case .unfavorite: return .unfavorite(fingerprint)
        case .unhide: return .unhide(fingerprint)
        case .hide:
            let time = hiddenAt.flatMap { Timestamp($0) }
            return time.map { .hide(HiddenMark(fingerprint: fingerprint, hiddenAt: $0)) }
        case .favorite, .note:
            guard let stored = joke?.favorite,
                case .favorite(let favorite)? = try? ExchangeRecord.favorite(stored).checked()
            else { return nil }
            return op == .note ? .note(favorite) : .favorite(favorite)
        }
    }
}
