import Glibc

/// A new file that replaces the one at a path. Other processes see the old or the new bytes, even after a power
/// failure.
///
/// Until `commit`, it has no name (O_TMPFILE of open(2)), so nothing is left if the process ends. On a file system without
/// such files, it has another name in the same folder, and is removed when this object is freed.
package final class FileReplacement {
    private static let pieceSize = 64 * 1024

    /// The file that `commit` replaces, without symbolic links.
    package let path: String
    /// The name before it replaces the file.
    private let name: String
    private var hasName: Bool
    private let file: Descriptor
    private var unwritten: [UInt8] = []

    /// Creates the empty new file.
    package convenience init(of path: String, mode: UInt32) throws(SystemError) {
        try self.init(path, initialMode: 0o600)
        let raw = file.rawValue
        try retrying("set the mode of the new", path) { fchmod(raw, mode) }
    }

    /// Creates the empty new file for a path from a user: symbolic links are followed, and the new file has the owner,
    /// the group and the mode of the old one. Without an old file, its mode is 0666 minus the umask.
    ///
    /// - Throws: `SystemError`; also if the link is dangling, or if the process may not give the file to its owner.
    package convenience init(rewriting path: String) throws(SystemError) {
        let old = try ExistingFile(at: path)
        try self.init(old?.path ?? path, initialMode: old == nil ? 0o666 : 0o600)
        try old?.passOwnerAndMode(to: file.rawValue)
    }

    private init(_ path: String, initialMode: UInt32) throws(SystemError) {
        let name = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 16))"
        let flags = O_WRONLY | O_CLOEXEC
        // `commit` names the file by its link in /proc.
        let unnamed = exists("/proc/self/fd") ? open(parentFolder(of: path), flags | __O_TMPFILE, initialMode) : -1
        hasName = unnamed < 0
        file = Descriptor(
            owning: hasName
                ? try retrying("create", path) { open(name, flags | O_CREAT | O_EXCL, initialMode) } : unnamed)
        (self.path, self.name) = (path, name)
    }

    deinit { if hasName { unlink(name) } }

    /// Appends bytes.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        unwritten.append(contentsOf: bytes)
        if unwritten.count >= Self.pieceSize { try flush() }
    }

    /// Replaces the file, and syncs it to disk.
    ///
    /// - Throws: `SystemError`. The file at the path is unchanged then, unless only the sync of its folder has failed.
    package func commit() throws(SystemError) {
        try flush()
        try retrying("sync the new", path) { fsync(file.rawValue) }
        if !hasName {
            // linkat(2) cannot replace a file.
            let link = "/proc/self/fd/\(file.rawValue)"
            try retrying("create", path) { linkat(AT_FDCWD, link, AT_FDCWD, name, AT_SYMLINK_FOLLOW) }
            hasName = true
        }
        try retrying("replace", path) { rename(name, path) }
        hasName = false
        try syncFolder(parentFolder(of: path))
    }

    private func flush() throws(SystemError) {
        try writeFully(unwritten, to: file.rawValue, path)
        unwritten.removeAll(keepingCapacity: true)
    }
}

/// Replaces the file at a path, as `FileReplacement` does.
///
/// - Throws: `SystemError`. The file at the path is unchanged then, unless only the sync of its folder has failed.
package func replaceFile(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    let file = try FileReplacement(of: path, mode: mode)
    try file.write(bytes)
    try file.commit()
}

/// Removes a file if it exists, and syncs its folder.
package func removeFile(_ path: String) throws(SystemError) {
    if unlink(path) == 0 {
        try syncFolder(parentFolder(of: path))
    } else if errno != ENOENT {
        throw SystemError("remove", path)
    }
}

/// The regular file at a path, after symbolic links.
private struct ExistingFile {
    /// The path without symbolic links.
    let path: String
    private let owner: UInt32
    private let group: UInt32
    private let mode: UInt32

    /// The file at a path; nil if there is none.
    ///
    /// - Throws: `SystemError`, also for a dangling link; with `EISDIR` or `notRegularFile` for other files.
    init?(at path: String) throws(SystemError) {
        // The kernel does not follow links of other users in /tmp, but readlink(2) would.
        let opened = open(path, __O_PATH | O_CLOEXEC)
        guard opened >= 0 else {
            let code = errno
            var link = stat()
            if code == ENOENT && lstat(path, &link) != 0 { return nil }
            throw SystemError("follow", path, code: code)
        }
        let file = Descriptor(owning: opened)
        let status = try fileStatus(ofOpen: file.rawValue, path)
        try status.requireRegularFile(for: "replace", path)
        let target = try linkTarget("/proc/self/fd/\(file.rawValue)", for: "follow", path)
        guard let target = String(validating: target, as: UTF8.self) else {
            throw SystemError("follow", path, code: EILSEQ)
        }
        self.path = target
        (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o7777)
    }

    /// Sets the owner, the group and the mode of an open file to those of this one.
    func passOwnerAndMode(to file: Int32) throws(SystemError) {
        let new = try fileStatus(ofOpen: file, path)
        if (new.st_uid, new.st_gid) != (owner, group) {
            try retrying("keep the owner and group of", path) { fchown(file, owner, group) }
        }
        // After fchown(2), which clears bits of the mode.
        try retrying("keep the mode of", path) { fchmod(file, mode) }
    }
}

/// Returns the target of a symbolic link. Errors have the operation and the subject.
func linkTarget(_ link: String, for operation: String, _ subject: String) throws(SystemError) -> [UInt8] {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try retrying(operation, subject) {
        target.withUnsafeMutableBytes { readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count) }
    }
    return Array(target.prefix(count))
}
