import Glibc
import JokesCore
import JokesExchange
import Unix

/// Reads a fortune file or a folder of them (fortune(6)), in pieces.
///
/// Subfolders are not read: Debian has offensive jokes in one. By convention, a file with jokes that may offend is rotated
/// (ROT13), and its index says so. Such a file is decoded, and its jokes are unsafe unless the configuration rates the
/// source.
struct FortuneSource: JokeSource {
    private static let maxFileSize = 256 << 20
    /// The maximum number of bytes that a batch is read from. No entry may be longer.
    private static let pieceSize = 1 << 20
    /// The maximum number of jokes of a batch: a bound on memory, since several files are read at once.
    private static let maxJokes = 5_000
    /// The maximum number of times that a sync begins again because a file has changed.
    private static let maxRestarts = 3

    private struct Cursor: Codable {
        /// A digest of all files and their versions.
        var version: String
        /// The index of the next file in the order of names; the number of files at the end.
        var file = 0
        var offset = 0
        var isSkipping = false
        /// The number of times that the sync has begun again.
        var restarts: Int?

        var isAtStart: Bool { file == 0 && offset == 0 }

        /// Returns whether an earlier step can have stored it.
        func isPlausible(files: Int) -> Bool {
            (0...files).contains(file) && (0...FortuneSource.maxFileSize).contains(offset)
        }
    }

    private struct File {
        let path: String
        let isRotated: Bool
    }

    private let path: String
    private let isOptional: Bool
    /// The rating of jokes in rotated files.
    private let rotatedSafety: Safety?

    init(_ source: SourceConfiguration) throws(SourceError) {
        guard let path = source.path else { throw SourceError(.misconfigured, "source '\(source.name)' has no 'path'") }
        self.path = path
        isOptional = source.isOptional
        rotatedSafety = source.safety == nil ? .unsafe : nil
    }

    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch {
        if Task.isCancelled { throw SourceError(.cancelled, "reading \(path) was canceled") }
        let reason: String
        do throws(SystemError) {
            let (files, version) = try filesAndVersion()
            if !files.isEmpty { return try step(files, version, from: position, limit: max(1, limit ?? .max)) }
            reason = "\(path) has no fortune files"
        } catch {
            guard isOptional && error.code == ENOENT else { throw SourceError(error) }
            reason = "\(error.subject) does not exist"
        }
        if !isOptional { throw SourceError(.file, "folder \(reason)") }
        return SourceBatch(position: position, progress: .absent("optional path \(reason)"))
    }

    private func step(
        _ files: [File], _ version: String, from position: SourcePosition, limit: Int
    ) throws(SystemError) -> SourceBatch {
        var cursor = position.cursor(as: Cursor.self) ?? Cursor(version: version)
        if cursor.version != version || !cursor.isPlausible(files: files.count) {
            let restarts = cursor.isAtStart ? 0 : (cursor.restarts ?? 0) + 1
            if restarts > Self.maxRestarts { return SourceBatch(position: SourcePosition(), progress: .partial) }
            cursor = Cursor(version: version, restarts: restarts)
        }
        guard files.indices.contains(cursor.file) else { return SourceBatch(position: position, progress: .unchanged) }
        var batch = SourceBatch(beginsFullSync: cursor.isAtStart, position: position, progress: .more)
        var room = Self.pieceSize
        let maxJokes = min(limit, Self.maxJokes)
        // Each batch checks all files of the folder, so it has as many small files as fit.
        repeat {
            let file = files[cursor.file]
            guard let count = try read(file, into: &batch, at: &cursor, room: room, limit: maxJokes) else { break }
            room -= count
        } while batch.jokes.count < maxJokes && cursor.offset == 0 && files.indices.contains(cursor.file)
        let isAtEnd = cursor.file == files.count
        // A change after a complete sync is no restart.
        if isAtEnd { cursor.restarts = nil }
        batch.position = SourcePosition(encoding: cursor)
        batch.progress = isAtEnd ? .complete : batch.jokes.count >= limit ? .partial : .more
        return batch
    }

    /// Adds a piece of a file to a batch with room for some bytes, and returns the size of the piece; nil if the batch has
    /// other files and no room for the rest of this one.
    private func read(
        _ file: File, into batch: inout SourceBatch, at cursor: inout Cursor, room: Int, limit: Int
    ) throws(SystemError) -> Int? {
        let opened = try RegularFile(opening: file.path)
        let left = max(0, opened.version.size - cursor.offset)
        guard left <= room || room == Self.pieceSize else { return nil }
        let raw = try opened.bytes(at: cursor.offset, count: min(left, room))
        let isLast = raw.count == left || raw.count < min(left, room)
        let scan = FortuneFile(
            file.isRotated ? raw.map(\.rotatedLetter) : raw, isLast: isLast, isSkipping: cursor.isSkipping,
            limit: limit - batch.jokes.count)
        cursor.offset += scan.consumed
        cursor.isSkipping = scan.isSkipping
        if isLast && scan.consumed == raw.count {
            cursor = Cursor(version: cursor.version, file: cursor.file + 1, restarts: cursor.restarts)
        }
        let texts = scan.entries.compactMap(\.text)
        batch.refused += scan.skipped + scan.entries.count - texts.count
        batch.jokes += texts.map { text in
            var joke = FortuneFile.joke(text)
            if file.isRotated { joke.safety = rotatedSafety }
            return joke
        }
        return raw.count
    }

    /// Returns the files to read, and a digest of everything that determines their jokes.
    private func filesAndVersion() throws(SystemError) -> (files: [File], version: String) {
        var files: [File] = []
        var text = ""
        let names = try namesOfFolder()
        for path in names?.map({ "\(path)/\($0)" }) ?? [path] {
            do throws(SystemError) {
                let file = try RegularFile(opening: path)
                if file.version.size > Self.maxFileSize { throw SystemError("read", path, code: EFBIG) }
                let isRotated = try Self.isRotated(path)
                text += "\(path)\n\(file.version)\n\(isRotated)\n"
                files.append(File(path: path, isRotated: isRotated))
            } catch {
                // Subfolders and pipes are ignored.
                guard names != nil, [EISDIR, SystemError.notRegularFile].contains(error.code) else { throw error }
            }
        }
        return (files, SHA256.shortDigest(of: Array(text.utf8)))
    }

    /// Returns whether the index that strfile(1) made of a file has the flag for ROT13. A file without an index is plain text.
    private static func isRotated(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            // Version, number of entries, longest, shortest, flags: each a 32-bit number, its most significant byte first.
            let index = try RegularFile(opening: path + ".dat")
            let header = try index.bytes(at: 0, count: 20)
            return header.count == 20 && header.starts(with: [0, 0, 0]) && header[19] & 4 != 0
        } catch {
            guard [ENOENT, EISDIR, SystemError.notRegularFile].contains(error.code) else { throw error }
            return false
        }
    }

    /// Returns the names of fortune files in the folder; nil if it is not a folder.
    private func namesOfFolder() throws(SystemError) -> [String]? {
        do throws(SystemError) {
            return try namesInFolder(path).filter { name in
                !name.hasPrefix(".") && !Self.foreign.contains { name.hasSuffix($0) }
            }
        } catch {
            // A missing path is reported as a file, which is the usual case.
            if error.code == ENOTDIR || error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Index files, the file of shown fortunes, and Debian's links for UTF-8.
    private static let foreign = [".dat", ".pos", ".u8"]
}

extension UInt8 {
    /// Returns the ASCII letter 13 places further in the alphabet; other bytes stay.
    fileprivate var rotatedLetter: UInt8 {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "m"), UInt8(ascii: "A")...UInt8(ascii: "M"): self + 13
        case UInt8(ascii: "n")...UInt8(ascii: "z"), UInt8(ascii: "N")...UInt8(ascii: "Z"): self - 13
        default: self
        }
    }
}
