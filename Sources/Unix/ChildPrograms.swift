import CLinux
import Glibc

/// Runs child programs without blocking a loop. Use it only on the loop.
///
/// Each child leads its own session, so it does not get the terminal's signals, and may outlive this process.
package final class ChildPrograms {
    /// The end of a child program.
    package struct Ending: Hashable, Sendable {
        /// The exit code; nil if a signal ended the program.
        package let status: Int32?
        /// The last 64 KiB of its standard output and standard error, if they were collected.
        package let output: String

        package init(status: Int32?, output: String = "") { (self.status, self.output) = (status, output) }
    }

    private static let maxOutputBytes = 1 << 16

    private var signals: SignalWatch?
    /// Collected output is in a file in memory.
    private var children: [Int32: (output: Int32?, answer: (Ending) -> Void)] = [:]

    /// Begins to watch SIGCHLD. Create this object before other threads; see `SignalWatch`.
    package init(on loop: EventLoop) throws(SystemError) {
        // With an ignored SIGCHLD, the kernel would not report how a child ended.
        signal(SIGCHLD, SIG_DFL)
        signals = try SignalWatch([SIGCHLD], on: loop) { [unowned self] _ in reap() }
    }

    /// Starts a program. Calls `answer` on the loop after the program has ended.
    ///
    /// - Throws: `SystemError`, with ENOENT if there is no such program. Then `answer` is not called.
    package func start(
        _ program: ChildProgram, collectingOutput: Bool = false, answer: @escaping (Ending) -> Void
    ) throws(SystemError) {
        var program = program
        program.leadsSession = true
        guard collectingOutput else {
            children[try program.start()] = (nil, answer)
            return
        }
        let output = Descriptor(
            owning: try retrying("create", "a file in memory") { linux_open_memory_file("output") })
        program.output = .descriptor(output.rawValue)
        program.errors = .descriptor(output.rawValue)
        let child = try program.start()
        children[child] = (output.release(), answer)
    }

    /// Ends the watch. Programs that still run continue, and their answers are not called.
    package func end() {
        signals?.end()
        signals = nil
        for case let (output?, _) in children.values { close(output) }
        children = [:]
    }

    private func reap() {
        for (child, entry) in children {
            var status: Int32 = 0
            guard waitpid(child, &status, WNOHANG) == child else { continue }
            children[child] = nil
            let output = entry.output.map { Self.end(of: Descriptor(owning: $0)) }
            entry.answer(Ending(status: exitCode(status), output: output ?? ""))
        }
    }

    /// Returns the last 64 KiB of a file.
    private static func end(of file: consuming Descriptor) -> String {
        let start = max(0, Int(lseek(file.rawValue, 0, SEEK_END)) - maxOutputBytes)
        let bytes = try? contents(of: file.rawValue, "the output", at: start, count: maxOutputBytes)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
