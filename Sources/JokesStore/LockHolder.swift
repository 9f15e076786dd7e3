import Glibc
import Unix

/// The process that holds a lock on a database, as far as the kernel tells.
struct LockHolder: Hashable, Sendable {
    let process: Int32
    /// The program's name, where it may be read.
    let command: String?

    /// `process 1234 (sqlite3)`.
    var inWords: String {
        "process \(process)" + (command.map { " (\($0))" } ?? "")
    }

    /// Who holds a lock on a database; where the kernel does not tell this process (a unit with ProcSubset=pid), what
    /// tells the person who reads it.
    static func inWords(of path: String) -> String {
        LockHolder(of: path)?.inWords ?? "another process (see: fuser -v \(path))"
    }

    /// Looks who holds a lock on a database's file, or on its log's index, where writers lock each other out; nil where
    /// that is nobody else, or cannot be seen.
    ///
    /// The kernel's list tells it without opening the files: to close a file would drop this process's own locks on it.
    init?(of path: String) {
        let files = Set(["-shm", ""].compactMap { Self.listed(path + $0) })
        guard let list = try? contentsOfFile("/proc/locks", limit: 1 << 20) else { return nil }
        let lines = String(decoding: list, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        // `12: POSIX ADVISORY WRITE 1234 fd:00:5678 120 120`; who waits for a lock has an arrow in the second place.
        let holders = lines.compactMap { words -> (isWriting: Bool, process: Int32)? in
            guard words.count >= 6, files.contains(String(words[5])), let process = Int32(words[4]), process > 0 else {
                return nil
            }
            return (words[3] == "WRITE", process)
        }.filter { $0.process != getpid() }
        // Readers hold locks too, which keep nobody from writing.
        guard let holder = holders.first(where: \.isWriting) ?? holders.first else { return nil }
        process = holder.process
        command = (try? contentsOfFile("/proc/\(holder.process)/comm", limit: 64)).map { name in
            String(decoding: name.prefix { $0 != 0x0A }.map { (0x21...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        }
    }

    /// A file as the list names it: the device's two numbers and the inode.
    private static func listed(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        // As makedev(3) puts the two numbers together, which is a macro.
        let device = UInt64(status.st_dev)
        let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        func two(_ number: UInt64) -> String { (number < 16 ? "0" : "") + String(number, radix: 16) }
        return "\(two(major)):\(two(minor)):\(status.st_ino)"
    }
}
