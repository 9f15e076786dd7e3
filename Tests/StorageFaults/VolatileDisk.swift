import CSQLite

/// What a disk has of files whose writes go to a cache first, and what is left of them when the power goes.
///
/// What was written before a file was last synced is on the disk. Of what came later, any part may be: each write, or the
/// first sectors of it, or nothing; and a file that was cut off may be as long as before. That a file was made is on the
/// disk at once, since SQLite syncs the folder with the file's first sync; that one was removed is so with the next sync
/// of any, since file systems keep the order of such things.
package final class VolatileDisk {
    private enum Change {
        case write([UInt8], at: Int)
        case cut(to: Int)
        case removal
    }

    private struct File {
        /// What is on the disk for certain.
        var synced: [UInt8]
        var pending: [Change] = []
    }

    private static let sector = 512
    private var files: [String: File] = [:]

    /// A disk that has these files, by their paths.
    package init(holding files: [String: [UInt8]] = [:]) {
        self.files = files.mapValues { File(synced: $0) }
    }

    /// Notes what SQLite does to files on this thread while the body runs, and calls `boundary` before each call that
    /// changes or syncs one: the power may go there.
    package func follow<Result>(
        boundary: () -> Void = {}, during body: () throws -> Result
    ) rethrows -> Result {
        try answeringStorageCalls { request in
            guard !request.path.isEmpty, !request.path.hasSuffix("-shm") else { return SQLITE_OK }
            switch request.call {
            case .write, .truncate, .delete, .sync: boundary()
            default: return SQLITE_OK
            }
            note(request)
            return SQLITE_OK
        } during: {
            try body()
        }
    }

    private func note(_ request: StorageRequest) {
        var file = files[request.path] ?? File(synced: [])
        switch request.call {
        case .write: file.pending.append(.write(request.bytes, at: request.offset))
        case .truncate: file.pending.append(.cut(to: request.count))
        case .delete: file.pending.append(.removal)
        default:
            for change in file.pending { Self.apply(change, to: &file.synced) }
            file.pending = []
            syncRemovals()
        }
        files[request.path] = file
    }

    private func syncRemovals() {
        for (path, file) in files {
            guard let last = file.pending.lastIndex(where: { if case .removal = $0 { true } else { false } }) else {
                continue
            }
            files[path] = File(synced: [], pending: Array(file.pending[(last + 1)...]))
        }
    }

    /// The files after the power went, by their paths: of what was not synced, what chance leaves.
    package func cutPower(using random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
        // In order, so that equal chances leave equal files.
        var left: [String: [UInt8]] = [:]
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            var bytes = file.synced
            // A disk that kept all, or nothing, or mixed them.
            let kept = [0, 1, 2, 4].randomElement(using: &random) ?? 0
            for change in file.pending where Int.random(in: 0..<4, using: &random) < kept {
                Self.apply(Self.torn(change, using: &random), to: &bytes)
            }
            left[path] = bytes
        }
        return left
    }

    private static func torn(_ change: Change, using random: inout some RandomNumberGenerator) -> Change {
        guard case .write(let bytes, let offset) = change, Int.random(in: 0..<8, using: &random) == 0 else {
            return change
        }
        let sectors = Int.random(in: 0...(bytes.count / sector), using: &random)
        return .write(Array(bytes.prefix(sectors * sector)), at: offset)
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .removal: bytes = []
        case .cut(let size): bytes = Array(bytes.prefix(size))
        case .write(let new, let offset):
            if bytes.count < offset + new.count {
                bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
            }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }
}
