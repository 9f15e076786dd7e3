import CLinux
import Glibc

/// A new file that replaces the one at a path. Other processes see the old or the new bytes, even after a power
/// failure.
///
/// It has another name in the same folder. Without a successful `commit`, it is removed when this object is freed.
package final class FileReplacement {
    private static let pieceSize = 64 * 1024

    /// The file that `commit` replaces, without symbolic links.
    package let path: String
    private let name: String
    private let file: Descriptor
    private var unwritten: [UInt8] = []
    private var isCommitted = false

    /// Creates the empty new file.
    package convenience init(of path: String, mode: UInt32) throws(SystemError) {
        try self.init(path, name: Self.newName(beside: path), initialMode: 0o600)
        let raw = file.rawValue
        try retrying("set the mode of the new", path) { fchmod(raw, mode) }
    }

    /// Creates the empty new file for a path from a user: symbolic links are followed, and the new file has the owner,
    /// the group and the mode of the old one. Without an old file, its mode is 0666 minus the umask.
    ///
    /// If `isRemovedOnSignals` is true, a signal that ends the process also removes it. For one file in a process.
    ///
    /// - Throws: `SystemError`; also if the link is dangling, or if the process may not give the file to its owner.
    package convenience init(rewriting path: String, isRemovedOnSignals: Bool = false) throws(SystemError) {
        let old = try ExistingFile(at: path)
        let target = old?.path ?? path
        let name = Self.newName(beside: target)
        // Before the file exists, so that no signal arrives in between.
        if isRemovedOnSignals { linux_remove_on_signals(name) }
        try self.init(target, name: name, initialMode: old == nil ? 0o666 : 0o600)
        try old?.passOwnerAndMode(to: file.rawValue)
    }

    private init(_ path: String, name: String, initialMode: UInt32) throws(SystemError) {
        self.path = path
        self.name = name
        file = Descriptor(
            owning: try retrying("create", path) { open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, initialMode) })
    }

    private static func newName(beside path: String) -> String {
        "\(path).\(String(UInt32.random(in: .min ... .max), radix: 16))"
    }

    deinit { if !isCommitted { unlink(name) } }

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
        try retrying("replace", path) { rename(name, path) }
        isCommitted = true
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
