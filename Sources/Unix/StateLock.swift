import Glibc
import Synchronization

/// Excludes other processes from a folder, until it is freed or the process ends.
///
/// A file in the folder is locked with flock(2) and has the process ID, for the error of a second process. The file
/// stays, because two processes could otherwise lock two files with the same name. On a full or read-only disk, the
/// file has no process ID. A read-only folder without the file is not locked, since no process can change it.
package final class StateLock: Sendable {
    private let path: String
    private let file: Mutex<LockedFile?>

    private struct LockedFile: ~Copyable {
        let descriptor: Descriptor
        let identity: FileIdentity
    }

    /// The error of a lock.
    package enum Failure: Error, Equatable, Sendable {
        /// Another process has locked the folder. The process ID is nil if it cannot be read.
        case held(by: Int32?)
        case system(SystemError)
    }

    /// Locks a file, which is created if it is missing.
    package init(at path: String) throws(Failure) {
        self.path = path
        file = Mutex(try Self.lockedFile(path))
    }

    /// Locks a new file if the locked one was removed or replaced. The folder must exist.
    package func renew() throws(Failure) {
        try file.withLock { (file: inout LockedFile?) throws(Failure) in
            let found: FileIdentity?
            do throws(SystemError) {
                found = try FileIdentity(at: path)
            } catch {
                throw .system(error)
            }
            if found == nil || found != file?.identity { file = try Self.lockedFile(path) }
        }
    }

    private static func lockedFile(_ path: String) throws(Failure) -> LockedFile? {
        do throws(SystemError) {
            guard let file = try openFile(path) else { return nil }
            try retrying("lock", path) { flock(file.rawValue, LOCK_EX | LOCK_NB) }
            if ftruncate(file.rawValue, 0) == 0 {
                // A full disk does not prevent reading.
                try? writeFully(Array("\(getpid())\n".utf8), to: file.rawValue, path)
            }
            let identity = try FileIdentity(of: file, path)
            return LockedFile(descriptor: file, identity: identity)
        } catch {
            throw error.code == EWOULDBLOCK ? .held(by: holder(of: path)) : .system(error)
        }
    }

    private static func openFile(_ path: String) throws(SystemError) -> Descriptor? {
        do throws(SystemError) {
            return Descriptor(
                owning: try retrying("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
        } catch {
            guard [EROFS, EACCES, EPERM].contains(error.code) else { throw error }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { return Descriptor(owning: descriptor) }
            guard errno == ENOENT else { throw error }
            return nil
        }
    }

    /// Returns the process in a lock file, if it runs the program; nil otherwise. Does not lock, so a process that starts at
    /// the same time is not refused.
    package static func holder(of path: String, running program: String) -> Int32? {
        guard let process = holder(of: path), let name = try? contentsOfFile("/proc/\(process)/comm", limit: 64) else {
            return nil
        }
        return String(decoding: name, as: UTF8.self) == program + "\n" ? process : nil
    }

    private static func holder(of path: String) -> Int32? {
        guard let bytes = try? contentsOfFile(path, limit: 32) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
