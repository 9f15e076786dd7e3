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

    private let loop: EventLoop
    private var signals: SignalWatch?
    private var children: [Int32: (output: ChildOutput?, answer: (Ending) -> Void)] = [:]

    /// Begins to watch SIGCHLD. Create this object before other threads; see `SignalWatch`.
    package init(on loop: EventLoop) throws(SystemError) {
        self.loop = loop
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
        let ends = try makePipe()
        let writer = Descriptor(owning: ends.writing)
        let output = try ChildOutput(owning: ends.reading, on: loop)
        program.output = .descriptor(writer.rawValue)
        program.errors = .descriptor(writer.rawValue)
        do throws(SystemError) {
            children[try program.start()] = (output, answer)
        } catch {
            output.end()
            throw error
        }
    }

    /// Ends the watch. Programs that still run continue, and their answers are not called.
    package func end() {
        signals?.end()
        signals = nil
        for child in children.values { child.output?.end() }
        children = [:]
    }

    private func reap() {
        for (child, entry) in children {
            var status: Int32 = 0
            guard waitpid(child, &status, WNOHANG) == child else { continue }
            children[child] = nil
            let output = entry.output?.end() ?? ""
            entry.answer(Ending(status: exitCode(status), output: output))
        }
    }
}

/// The end of the output of a child program, read from a pipe.
private final class ChildOutput {
    private static let maxBytes = 1 << 16

    private let loop: EventLoop
    private let descriptor: Descriptor
    private var watch: EventLoop.Watch?
    private var bytes: [UInt8] = []

    init(owning descriptor: Int32, on loop: EventLoop) throws(SystemError) {
        self.descriptor = Descriptor(owning: descriptor)
        self.loop = loop
        try retrying("set the flags of a pipe") { fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in read() }
    }

    /// Reads what a pipe can hold.
    private func read() {
        var piece = [UInt8](repeating: 0, count: Self.maxBytes)
        let count = Glibc.read(descriptor.rawValue, &piece, piece.count)
        bytes = (bytes + piece.prefix(max(0, count))).suffix(Self.maxBytes)
        // The end would be reported again and again.
        if count == 0 { endWatch() }
    }

    private func endWatch() {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    /// Ends the watch, and returns the output so far.
    @discardableResult
    func end() -> String {
        if watch != nil { read() }
        endWatch()
        return String(decoding: bytes, as: UTF8.self)
    }
}
