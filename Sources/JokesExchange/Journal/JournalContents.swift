/// The changes that can be read from the bytes of a journal.
package struct JournalContents {
    /// The last change that a database has, and the identity of its journal.
    package struct Position: Hashable, Sendable {
        package let sequence: Int64
        /// The checksum of the line with this number.
        package let checksum: JournalRecord.Checksum
        /// The checksum of the first line, which identifies the journal.
        package let first: JournalRecord.Checksum

        package init(sequence: Int64, checksum: JournalRecord.Checksum, first: JournalRecord.Checksum) {
            (self.sequence, self.checksum, self.first) = (sequence, checksum, first)
        }
    }

    package struct Entry: Hashable, Sendable {
        package let record: JournalRecord
        package let checksum: JournalRecord.Checksum
    }

    /// The changes in the order of the file, without those of an incomplete batch at the end.
    package private(set) var entries: [Entry] = []
    /// The number of lines that are skipped because they are damaged.
    package private(set) var damagedLines = 0
    /// The offset of the first of them; nil if there are none.
    private(set) var firstDamage: Int?
    /// True if a line has the right checksum but is no change that this program knows: a newer program wrote it.
    package private(set) var hasNewerChanges = false
    /// The size of the file without an interrupted write at its end.
    package private(set) var end = 0
    /// The size of the file without an incomplete last line.
    private var endOfLines = 0
    /// The checksum of the first line; nil if that is damaged.
    package private(set) var first: JournalRecord.Checksum?

    /// Reads a journal. If `acceptsDamagedBatch` is true, keeps what can be read of a damaged last batch. If it is false, an
    /// interrupted last batch is skipped: nobody was told that it is stored.
    package init(_ bytes: [UInt8], acceptsDamagedBatch: Bool = false) {
        // A batch without missing lines so far.
        var batch: [Entry] = []
        var damagedInBatch = 0
        while let lineEnd = bytes[endOfLines...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[endOfLines..<lineEnd]
            endOfLines = lineEnd + 1
            guard let (record, checksum) = JournalRecord.read(line) else {
                firstDamage = firstDamage ?? line.startIndex
                if JournalRecord.validChecksum(of: line) != nil { hasNewerChanges = true }
                if batch.isEmpty {
                    damagedLines += 1
                    end = endOfLines
                } else {
                    damagedInBatch += 1
                }
                continue
            }
            if line.startIndex == 0 { first = checksum }
            // Another batch, or a single change: the open batch was acknowledged, although lines of it are damaged.
            if let open = batch.first?.record, !record.continues(open) { flush(&batch, &damagedInBatch) }
            batch.append(Entry(record: record, checksum: checksum))
            guard record.batch?.isLast ?? true else { continue }
            if damagedInBatch == 0 && batch.count == record.batch?.index ?? 1 {
                flush(&batch, &damagedInBatch)
                end = endOfLines
            }
        }
        // An interrupted write leaves the first lines of a batch, and a part of the next one.
        if acceptsDamagedBatch, let last = batch.last?.record.batch, damagedInBatch > 0 || last.isLast {
            if last.isLast { damagedInBatch = last.index - batch.count }
            flush(&batch, &damagedInBatch)
        }
    }

    private mutating func flush(_ batch: inout [Entry], _ damaged: inout Int) {
        entries += batch
        damagedLines += damaged
        (batch, damaged) = ([], 0)
    }

    /// Returns whether a database with a position has all changes, because the position is that of the last change, or because
    /// the journal has lost its last lines. False for another journal, and for lines that several programs have written.
    package func precedes(_ position: Position) -> Bool {
        let isInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.record.sequence < $1.record.sequence }
        guard isInOrder, first == nil || first == position.first else { return false }
        guard let last = entries.last else { return true }
        return last.record.sequence < position.sequence || last.checksum == position.checksum
    }

    /// The entries of the last change that no undo has taken back; nil if there is none. An undo takes back the last
    /// change before it, so the entries after this range have no effect. O(entries)
    package var lastChange: Range<Int>? {
        var changes: [Range<Int>] = []
        var start = 0
        for (index, entry) in entries.enumerated() where entry.record.batch?.isLast ?? true {
            if entry.record.isFinal { _ = changes.popLast() } else { changes.append(start..<index + 1) }
            start = index + 1
        }
        return changes.last
    }

    /// The largest number of a change; 0 if there are none.
    package var lastSequence: Int64 { entries.map(\.record.sequence).max() ?? 0 }

    /// The position of a database that has all changes; nil if there are none.
    package var position: Position? {
        guard let last = entries.last, let first = first ?? entries.first?.checksum else { return nil }
        return Position(sequence: last.record.sequence, checksum: last.checksum, first: first)
    }
}

extension JournalRecord {
    /// Returns whether this is a later line of the batch of the other one.
    fileprivate func continues(_ other: JournalRecord) -> Bool {
        guard let batch, let begun = other.batch else { return false }
        return sequence - Int64(batch.index) == other.sequence - Int64(begun.index)
    }
}

extension JournalContents.Position {
    /// The form in the database.
    package var text: String { "\(sequence) \(checksum) \(first)" }

    package init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let sequence = Int64(parts[0]) else { return nil }
        self.init(sequence: sequence, checksum: parts[1], first: parts[2])
    }
}
