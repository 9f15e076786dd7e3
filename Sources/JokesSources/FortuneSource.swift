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
    /// The maximum number of bytes that are read at once. No entry may be longer. A batch is read from less than two pieces.
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
        var restarts = 0
    }

    private struct File {
        let path: String
        let isRotated: Bool
    }

    private let path: String
    private let isOptional: Bool
    /// The rating of jokes in rotated files.
    private let rotatedSafety: Safety?

    /// Returns whether a path is a folder or a fortune file: a file with a line that is only `%`.
    static func canRead(_ path: String) throws(SourceError) -> Bool {
        do throws(SystemError) {
            return FortuneFile.hasSeparator(try RegularFile(opening: path).bytes(at: 0, count: pieceSize))
        } catch {
            if error.code == EISDIR { return true }
            throw SourceError(error)
        }
    }

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
        // A damaged cursor may have any numbers.
        if cursor.version != version || !(0...files.count).contains(cursor.file) || cursor.offset < 0 {
            guard cursor.restarts < Self.maxRestarts else {
                return SourceBatch(position: SourcePosition(), progress: .partial)
            }
            cursor = Cursor(version: version, restarts: cursor.restarts + 1)
        }
        if cursor.file == files.count { return SourceBatch(position: position, progress: .unchanged) }
        var batch = SourceBatch(
            beginsFullSync: cursor.file == 0 && cursor.offset == 0, position: position, progress: .more)
        var size = 0
        let maxJokes = min(limit, Self.maxJokes)
        // Each batch checks all files of the folder, so it has as many small files as fit.
        while cursor.file < files.count && size < Self.pieceSize && batch.jokes.count < maxJokes {
            size += try read(files[cursor.file], into: &batch, at: &cursor, limit: maxJokes)
        }
        let isAtEnd = cursor.file == files.count
        // A change after a complete sync is no restart.
        if isAtEnd { cursor.restarts = 0 }
        batch.position = SourcePosition(encoding: cursor)
        batch.progress = isAtEnd ? .complete : batch.jokes.count >= limit ? .partial : .more
        return batch
    }

    /// Adds the next piece of a file to a batch, and returns the size of the piece.
    private func read(
        _ file: File, into batch: inout SourceBatch, at cursor: inout Cursor, limit: Int
    ) throws(SystemError) -> Int {
        let opened = try RegularFile(opening: file.path)
        let left = max(0, opened.version.size - cursor.offset)
        let raw = try opened.bytes(at: cursor.offset, count: min(left, Self.pieceSize))
        let isLast = raw.count == left || raw.count < Self.pieceSize
        let scan = FortuneFile(
            file.isRotated ? raw.map(\.rotatedLetter) : raw, isLast: isLast, isSkipping: cursor.isSkipping,
            limit: limit - batch.jokes.count)
        cursor.offset += scan.consumed
        cursor.isSkipping = scan.isSkipping
        if isLast && scan.consumed == raw.count {
            cursor.file += 1
            cursor.offset = 0
        }
        let texts = scan.entries.compactMap(\.text)
        batch.refused += scan.entries.count - texts.count
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
        let paths = try pathsInFolder()
        for path in paths ?? [path] {
            do throws(SystemError) {
                let file = try RegularFile(opening: path)
                if file.version.size > Self.maxFileSize { throw SystemError("read", path, code: EFBIG) }
                let isRotated = try Self.isRotated(path)
                text += "\(path)\n\(file.version)\n\(isRotated)\n"
                files.append(File(path: path, isRotated: isRotated))
            } catch {
                // Subfolders and pipes are ignored.
                guard paths != nil, [EISDIR, SystemError.notRegularFile].contains(error.code) else { throw error }
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

    /// Returns the paths of fortune files in the folder; nil if it is not a folder.
    private func pathsInFolder() throws(SystemError) -> [String]? {
        do throws(SystemError) {
            let names = try namesInFolder(path).filter { !$0.hasPrefix(".") }
            return names.filter { name in !Self.foreign.contains { name.hasSuffix($0) } }.map { "\(path)/\($0)" }
        } catch {
            // A missing path is reported as a file, which is the usual case.
            guard error.code == ENOTDIR || error.code == ENOENT else { throw error }
            return nil
        }
    }

    /// Index files, the file of shown fortunes, and Debian's links for UTF-8.
    private static let foreign = [".dat", ".pos", ".u8"]
}

extension UInt8 {
    /// Returns the ASCII letter 13 places further in the alphabet; other bytes stay.
    fileprivate var rotatedLetter: UInt8 {
        switch self | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "m"): self + 13
        case UInt8(ascii: "n")...UInt8(ascii: "z"): self - 13
        default: self
        }
    }
}
