import Glibc
import TestSupport
import Testing
import Unix

/// A small disk: a tmpfs in a mount namespace that a process keeps open. It is not visible outside.
final class MountedFolder {
    let path: String
    private let holder: ChildProcess

    /// True if this user may create such namespaces here.
    static let isPermitted: Bool = {
        let probe = try? ChildProcess.run(
            "/usr/bin/unshare", ["-rm", "sh", "-c", "mount -t tmpfs none /mnt"], environment: path)
        return probe?.ending == .exited(0)
    }()

    private static let path = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

    /// Creates a folder and mounts the tmpfs there.
    init(_ path: String, size: String) async throws {
        self.path = path
        try makeFolder(path, mode: 0o700)
        holder = try ChildProcess(
            "/usr/bin/unshare",
            [
                "-rm", "sh", "-c",
                "mount -t tmpfs -o size=\(size),mode=0700 none '\(path)' && echo mounted && exec sleep 600",
            ],
            environment: Self.path)
        try holder.output.waitFor("mounted\n")
    }

    /// Returns a path on the disk, as visible from outside.
    func outside(_ name: String) -> String {
        "/proc/\(holder.pid)/root\(path)/\(name)"
    }

    /// Returns the arguments of nsenter that run a program in the namespace.
    private func words(_ program: String, _ arguments: [String]) -> [String] {
        ["--preserve-credentials", "-U", "-m", "-t", "\(holder.pid)", program] + arguments
    }

    /// Starts a program in the namespace.
    func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess("/usr/bin/nsenter", words(program, arguments), environment: Self.path)
    }

    func run(_ program: String, _ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run("/usr/bin/nsenter", words(program, arguments), environment: Self.path)
    }

    /// Makes this mount read-only or writable. Without `bind`, the kernel refuses this to an ordinary user.
    func remount(isWritable: Bool) throws {
        let result = try run("/bin/mount", ["-o", "remount,bind,\(isWritable ? "rw" : "ro")", path])
        #expect(result.ending == .exited(0), "\(result)")
    }

    /// Writes a file until the disk is full.
    func fill() throws {
        let name = outside("fill")
        let file = Descriptor(
            owning: try retrying("create", name) { open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) })
        let piece = [UInt8](repeating: 7, count: 4096)
        for size in [4096, 64, 1] {
            while write(file.rawValue, piece, size) > 0 {}
        }
    }

    func makeRoom() throws {
        try retrying("remove", "fill") { unlink(outside("fill")) }
    }
}
