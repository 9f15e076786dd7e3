import Glibc

/// Holds a folder for one process at a time, from `init` until it goes or the process ends.
///
/// A file in the folder is locked by flock(2) and has the holder's process id in it, so that a second one can say who
/// it is. The file stays: removing it would let two processes hold two files of one name.
package struct StateLock: ~Copyable {
    private let file: Descriptor

    /// The folder is held by another process.
    package enum Failure: Error, Equatable, Sendable {
        /// The process id is nil where it could not be read.
        case held(by: Int32?)
        case system(SystemError)
    }

    /// Takes the lock on a file, which is made where it is missing.
    package init(at path: String) throws(Failure) {
        file = try Self.lockedFile(path)
    }

    private static func lockedFile(_ path: String) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let file = Descriptor(
                owning: try retrying("open", path) { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
            try retrying("lock", path) { flock(file.rawValue, LOCK_EX | LOCK_NB) }
            try retrying("empty", path) { ftruncate(file.rawValue, 0) }
            try writeFully(Array("\(getpid())\n".utf8), to: file.rawValue, path)
            return file
        } catch {
            throw error.code == EWOULDBLOCK ? .held(by: holder(of: path)) : .system(error)
        }
    }

    private static func holder(of path: String) -> Int32? {
        guard let bytes = try? contentsOfFile(path, limit: 32) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
