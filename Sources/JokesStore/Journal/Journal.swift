import Glibc
package import JokesCore
package import JokesExchange
package import Unix

/// The file with the changes of favorites, notes and hidden marks, one line of JSON each. A change is in the file, on
/// disk, before the change is in the database (docs/decisions/0010).
///
/// `JournalReplay` compacts the journal when the database is opened for writing, and keeps the previous file as
/// `favorites.jsonl.1`.
///
/// Confined to the store's executor.
package final class Journal {
    package static let fileName = "favorites.jsonl"

    package let path: String
    private var file: Descriptor
    private var identity: FileIdentity
    /// The offset after the last acknowledged line; before the replay, the size of the file. Later bytes are removed
    /// before the next append.
    package private(set) var end: Int
    /// The offset after the last appended line, which may not be synced yet.
    private var writtenEnd: Int
    /// True if the file may have bytes after `end`, from a failed or interrupted write.
    private var mayBeLonger = false
    /// The sequence number and the checksum of the last change in the file; nil before the replay, and for an empty
    /// journal.
    package internal(set) var position: JournalContents.Position?

    /// Opens the file. Creates it with mode 0600 if it does not exist.
    ///
    /// - Throws: `SystemError`.
    package init(at path: String) throws(SystemError) {
        self.path = path
        let opened = try Self.open(path)
        identity = try FileIdentity(of: opened, path)
        end = try Self.size(of: opened, path)
        writtenEnd = end
        file = opened
        // A process that created the file may have ended before it synced the folder.
        try syncFolder(parentFolder(of: path))
    }

    private static func open(_ path: String) throws(SystemError) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        return Descriptor(owning: try retrying("open", path) { Glibc.open(path, flags, 0o600) })
    }

    private static func size(of file: borrowing Descriptor, _ path: String) throws(SystemError) -> Int {
        let status = try fileStatus(ofOpen: file.rawValue, path)
        try status.requireRegularFile(for: "read", path)
        return Int(status.st_size)
    }

    /// Replaces the file atomically with a file of these lines.
    ///
    /// - Throws: `SystemError`; the caller can try again.
    func replace(with lines: JournalLines) throws(SystemError) {
        try replaceFile(path, with: lines.bytes, mode: 0o600)
        let opened = try Self.open(path)
        identity = try FileIdentity(of: opened, path)
        file = opened
        (end, writtenEnd, mayBeLonger) = (lines.bytes.count, lines.bytes.count, false)
        position = lines.position
    }

    /// The file before the last compaction.
    private var backupPath: String { path + ".1" }

    /// Copies the file to `favorites.jsonl.1`.
    func backUp() throws(SystemError) { try replaceFile(backupPath, with: bytes(), mode: 0o600) }

    /// Reads the copy; empty if there is none.
    func backup() throws(SystemError) -> JournalContents {
        JournalContents(exists(backupPath) ? try contentsOfFile(backupPath, limit: .max) : [])
    }

    /// Returns the acknowledged bytes from an offset on.
    package func bytes(from offset: Int = 0) throws(SystemError) -> [UInt8] {
        try contents(of: file.rawValue, path, at: offset, count: max(0, end - offset))
    }

    /// Appends bytes, which are not durable before `sync`.
    ///
    /// - Throws: `SystemError`; `rollBack` must follow.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        if mayBeLonger && writtenEnd == end { try truncate(to: end) }
        mayBeLonger = true
        var count = 0
        let (raw, start) = (file.rawValue, writtenEnd)
        while count < bytes.count {
            count += try retrying("write", path) {
                bytes.withUnsafeBytes { pwrite(raw, $0.baseAddress! + count, $0.count - count, off_t(start + count)) }
            }
        }
        writtenEnd += bytes.count
    }

    /// Syncs the appended bytes to disk and acknowledges them.
    package func sync() throws(SystemError) {
        let raw = file.rawValue
        try retrying("sync", path) { fdatasync(raw) }
        end = writtenEnd
        mayBeLonger = false
    }

    /// Checks that changes can be stored: appends a block, syncs it, and removes it again.
    ///
    /// - Throws: `SystemError` if changes cannot be stored.
    func tryAppending() throws(SystemError) {
        let savepoint = savepoint
        defer { rollBack(to: savepoint) }
        try append([UInt8](repeating: 0, count: 4096))
        try sync()
    }

    /// Truncates the file to an earlier end. After a failure, the next append first truncates the file.
    package func truncate(to size: Int) throws(SystemError) {
        (end, writtenEnd) = (size, size)
        mayBeLonger = true
        let raw = file.rawValue
        try retrying("truncate", path) { ftruncate(raw, off_t(size)) }
        try sync()
    }

    /// True if another file or no file is at the path, or if another program has written to the file.
    var hasChangedOnDisk: Bool {
        get throws(SystemError) {
            if try FileIdentity(at: path) != identity { return true }
            let size = try Self.size(of: file, path)
            return !mayBeLonger && size != end
        }
    }

    // MARK: Savepoints and the last line

    /// A state of the journal that `rollBack` restores after a failed change.
    package struct Savepoint {
        fileprivate let end: Int
        fileprivate let position: JournalContents.Position?
    }

    package var savepoint: Savepoint { Savepoint(end: end, position: position) }

    /// Returns the journal to a savepoint. If the file cannot be truncated, the next append first truncates it.
    package func rollBack(to savepoint: Savepoint) {
        guard mayBeLonger || end != savepoint.end else { return }
        position = savepoint.position
        try? truncate(to: savepoint.end)
    }

    /// Returns the sequence number and the checksum of the last line; nil if the line is damaged. Reads at most 64 KiB.
    func lastLine() throws(SystemError) -> (sequence: Int64, checksum: JournalRecord.Checksum)? {
        let rest = try bytes(from: max(0, end - 64 * 1024))
        guard rest.last == UInt8(ascii: "\n") else { return nil }
        let line = rest.dropLast()
        let start = line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard let (record, checksum) = JournalRecord.read(line[start...]) else { return nil }
        return (record.sequence, checksum)
    }
}

/// Encoded lines that are not written yet.
package struct JournalLines {
    package private(set) var bytes: [UInt8] = []
    /// The position of the last line; before the first `append`, the position that `init` got.
    package private(set) var position: JournalContents.Position?
    /// The sequence number of the last line.
    private var sequence: Int64

    /// - Parameters:
    ///   - position: The position of the line before these lines; nil if the lines begin a journal.
    ///   - sequence: The sequence number to continue from; nil means the number in `position`.
    package init(after position: JournalContents.Position?, sequence: Int64? = nil) {
        self.position = position
        self.sequence = sequence ?? position?.sequence ?? 0
    }

    /// Encodes a line for each favorite and each hidden mark. The last line gets the number `sequence`, or a larger one.
    init(of userData: UserData, endingAt sequence: Int64 = 0, at now: Timestamp) throws {
        self.init(after: nil, sequence: max(0, sequence - Int64(userData.count)))
        for favorite in userData.favorites { try append(.favorite(favorite), at: now, isFinal: true) }
        for mark in userData.hidden { try append(.hide(mark), at: now, isFinal: true) }
    }

    /// Adds the line of a change.
    ///
    /// - Throws: `EncodingError` if JSON cannot represent a value.
    package mutating func append(
        _ change: JournalRecord.Change, at now: Timestamp, in batch: JournalRecord.Batch? = nil, isFinal: Bool = false
    ) throws {
        sequence += 1
        let record = JournalRecord(sequence: sequence, at: now, change: change, batch: batch, isFinal: isFinal)
        let line = try record.line()
        bytes += line.bytes
        position = .init(sequence: sequence, checksum: line.checksum, first: position?.first ?? line.checksum)
    }

    mutating func removeBytes() {
        bytes.removeAll(keepingCapacity: true)
    }
}

/// Appends the changes of one transaction to the journal. `finish` syncs the changes to disk.
package final class JournalWriter {
    /// The size at which the encoded lines are written, in bytes. A large batch then needs little memory.
    private static let bufferSize = 64 * 1024

    private let journal: Journal
    private let isBatch, isUndo: Bool
    private let now: Timestamp
    private var lines: JournalLines
    private var count = 0
    /// The change that is not encoded yet: only `finish` knows which change is the last of the batch.
    private var pending: JournalRecord.Change?

    /// - Parameters:
    ///   - journal: The journal.
    ///   - isBatch: True if the changes are one batch: a replay applies all changes or none.
    ///   - isUndo: True if the changes take back the last change.
    ///   - now: The time of the changes.
    package init(_ journal: Journal, isBatch: Bool, isUndo: Bool = false, at now: Timestamp) {
        (self.journal, self.isBatch, self.isUndo, self.now) = (journal, isBatch, isUndo, now)
        lines = JournalLines(after: journal.position)
    }

    /// Adds a change, which a later `append` or `finish` writes.
    ///
    /// - Throws: `SystemError` or `EncodingError`; `Journal.rollBack` must follow.
    package func append(_ change: JournalRecord.Change) throws {
        if let pending { try write(pending, isLast: false) }
        pending = change
    }

    /// Writes the remaining changes, and syncs all changes to disk.
    ///
    /// - Returns: True if there were any changes.
    /// - Throws: `SystemError` or `EncodingError`; `Journal.rollBack` must follow.
    package func finish() throws -> Bool {
        guard let pending else { return false }
        try write(pending, isLast: true)
        try journal.append(lines.bytes)
        try journal.sync()
        journal.position = lines.position
        return true
    }

    private func write(_ change: JournalRecord.Change, isLast: Bool) throws {
        count += 1
        let batch = isBatch ? JournalRecord.Batch(index: count, isLast: isLast) : nil
        try lines.append(change, at: now, in: batch, isFinal: isUndo)
        if lines.bytes.count < Self.bufferSize { return }
        try journal.append(lines.bytes)
        lines.removeBytes()
    }
}
