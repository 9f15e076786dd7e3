/// A disk with a volatile write cache, and the files that remain on it after a power loss.
///
/// Data written before a file's last sync is on the disk. Of each later write, the whole, its first sectors, zeros in
/// its place or nothing may remain, and a truncated file may have its old size. New names, removals and renames reach
/// the disk in order, at the latest with the next sync of any file, as on file systems with a journal.
package final class VolatileDisk {
    private enum Change {
        case write([UInt8], at: Int)
        case truncate(to: Int)
    }

    private struct File {
        /// The contents that are certainly on the disk.
        var synced: [UInt8] = []
        var pending: [Change] = []
    }

    private enum NameChange {
        case add(String, file: Int)
        case remove(String)
        case rename(String, to: String)
    }

    private static let sector = 512
    private var files: [File]
    /// The names that are certainly on the disk.
    private var syncedNames: [String: Int]
    private var pendingNames: [NameChange] = []
    /// The names that processes see.
    private var names: [String: Int]

    /// Creates a disk with these files, by path.
    package init(holding files: [String: [UInt8]]) {
        let known = files.sorted { $0.key < $1.key }
        self.files = known.map { File(synced: $0.value) }
        names = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1.key, $0) })
        syncedNames = names
    }

    /// Records the file system calls that this thread makes in the body. Calls `boundary` before each call that changes
    /// or syncs a file, since the power may fail there.
    package func follow<Result>(
        boundary: () -> Void = {}, during body: () throws -> Result
    ) rethrows -> Result {
        try answeringFileCalls { request in
            guard !request.path.hasSuffix("-shm") else { return 0 }
            switch request.call {
            case .write, .truncate, .rename, .remove, .sync: boundary()
            case .open, .read: return 0
            }
            note(request)
            return 0
        } during: {
            try body()
        }
    }

    private func note(_ request: FileRequest) {
        switch request.call {
        case .write: change(request.path, .write(request.bytes, at: request.offset))
        case .truncate: change(request.path, .truncate(to: request.size))
        case .rename: change(.rename(request.path, to: request.newPath))
        case .remove: change(.remove(request.path))
        default:
            if let file = names[request.path] {
                for change in files[file].pending { Self.apply(change, to: &files[file].synced) }
                files[file].pending = []
            }
            for change in pendingNames { Self.apply(change, to: &syncedNames) }
            pendingNames = []
        }
    }

    private func change(_ path: String, _ change: Change) {
        if names[path] == nil {
            self.change(.add(path, file: files.count))
            files.append(File())
        }
        if let file = names[path] { files[file].pending.append(change) }
    }

    private func change(_ change: NameChange) {
        Self.apply(change, to: &names)
        pendingNames.append(change)
    }

    /// Returns the files after a power loss now, by path: the synced data, and a random part of the rest.
    package func filesAfterPowerLoss(using random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
        var left = syncedNames
        for change in pendingNames.prefix(Int.random(in: 0...pendingNames.count, using: &random)) {
            Self.apply(change, to: &left)
        }
        // In order, so that equal seeds produce equal files.
        return Dictionary(
            uniqueKeysWithValues: left.sorted { $0.key < $1.key }.map {
                ($0.key, remains(of: files[$0.value], &random))
            })
    }

    private func remains(of file: File, _ random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = file.synced
        // The disk kept all writes, no writes, or a mix.
        let kept = [0, 1, 2, 4].randomElement(using: &random) ?? 0
        for change in file.pending where Int.random(in: 0..<4, using: &random) < kept {
            Self.apply(Self.torn(change, using: &random), to: &bytes)
        }
        return bytes
    }

    private static func torn(_ change: Change, using random: inout some RandomNumberGenerator) -> Change {
        guard case .write(let bytes, let offset) = change, Int.random(in: 0..<8, using: &random) == 0 else {
            return change
        }
        let firstSector = offset / sector
        let count = Int.random(in: 0...((offset + bytes.count) / sector - firstSector), using: &random)
        let kept = bytes.prefix(max(0, (firstSector + count) * sector - offset))
        let hasSize = Bool.random(using: &random)
        return .write(Array(kept) + [UInt8](repeating: 0, count: hasSize ? bytes.count - kept.count : 0), at: offset)
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .truncate(let size): bytes = Array(bytes.prefix(size))
        case .write(let new, let offset):
            if bytes.count < offset + new.count {
                bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
            }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .add(let path, let file): names[path] = file
        case .remove(let path): names[path] = nil
        case .rename(let old, let new):
            names[new] = names[old]
            names[old] = nil
        }
    }
}
