import Glibc

/// A program to be started, with its arguments and standard streams.
///
/// It starts as from a shell: no signal is blocked, and SIGPIPE is not ignored.
package struct ChildProgram: Hashable, Sendable {
    /// One of its standard streams.
    package enum Stream: Hashable, Sendable {
        case file(String, isWritable: Bool = false)
        /// A descriptor of this process. For output and errors, 0 is the standard input of the program; for errors, 1
        /// is its standard output.
        case descriptor(Int32)

        package static let nothing = Stream.file("/dev/null", isWritable: true)

        fileprivate func add(to actions: inout posix_spawn_file_actions_t, as descriptor: Int32) {
            switch self {
            case .file(let path, let isWritable):
                posix_spawn_file_actions_addopen(&actions, descriptor, path, isWritable ? O_RDWR : O_RDONLY, 0)
            case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, descriptor)
            }
        }
    }

    /// Its path, or its name, which is searched for in PATH.
    package var program: String
    /// The arguments after the name.
    package var arguments: [String]
    /// All its environment variables; nil for those of this process.
    package var environment: [String: String]?
    package var input = Stream.nothing
    package var output = Stream.nothing
    package var errors = Stream.nothing
    /// True if the program leads a new session. The first `file` among its streams that is a terminal then controls the
    /// session.
    package var leadsSession = false

    package init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// Starts the program. The caller must wait for its end.
    ///
    /// - Returns: The process ID.
    /// - Throws: `SystemError`, with ENOENT if there is no such program.
    package func start() throws(SystemError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // In this order: the first terminal that a session leader opens controls the session, and can then be copied.
        for (descriptor, stream) in [(standardInput, input), (standardOutput, output), (standardError, errors)] {
            stream.add(to: &actions, as: descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (blocked, usual) = (signalSet([]), signalSet([SIGPIPE]))
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        // POSIX_SPAWN_SETSID, which glibc declares only for GNU sources.
        let session: Int32 = leadsSession ? 0x80 : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        // Without an environment, byte for byte that of this process.
        let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { (words + (variables ?? [])).forEach { free($0) } }
        var pid: Int32 = 0
        let code =
            if let variables {
                posix_spawnp(&pid, program, &actions, &attributes, words, variables)
            } else {
                posix_spawnp(&pid, program, &actions, &attributes, words, environ)
            }
        guard code == 0 else { throw SystemError("start", program, code: code) }
        return pid
    }
}

/// Waits until a child process has ended.
///
/// - Returns: The exit code; nil if a signal ended it, or the code is unknown.
package func waitForEnd(of child: Int32) -> Int32? {
    var status: Int32 = 0
    while waitpid(child, &status, 0) != child {
        guard errno == EINTR else { return nil }
    }
    return exitCode(status)
}

/// Returns the exit code in a status of waitpid(2); nil if a signal ended the process.
func exitCode(_ status: Int32) -> Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }

/// The result of a program that was run for its output.
package enum ProgramAnswer: Hashable, Sendable {
    /// The program has ended. The exit code is nil if a signal ended it.
    case ended(status: Int32?, output: String)
    /// The program exceeded a limit and was killed.
    case timedOut
}

extension ChildProgram {
    /// Runs the program, and returns its standard output, with its standard error if `withErrors` is true.
    ///
    /// A program that exceeds the time, or writes more than 64 KiB, is killed with its child processes.
    ///
    /// - Throws: `SystemError`, with ENOENT if there is no such program.
    package func answer(within time: Duration, withErrors: Bool = false) throws(SystemError) -> ProgramAnswer {
        let limitInstant = BootInstant.now.advanced(by: time)
        let ends = try makePipe()
        let reader = Descriptor(owning: ends.reading)
        let writer = Descriptor(owning: ends.writing)
        var program = self
        program.output = .descriptor(writer.rawValue)
        if withErrors { program.errors = .descriptor(writer.rawValue) }
        // Its own process group, to be killed as a whole.
        program.leadsSession = true
        let child = try program.start()
        _ = consume writer
        let output = Self.all(from: reader.rawValue, until: limitInstant)
        guard let output, let ending = Self.ending(of: child, until: limitInstant) else {
            kill(-child, SIGKILL)
            _ = waitForEnd(of: child)
            return .timedOut
        }
        return .ended(status: ending.status, output: String(decoding: output, as: UTF8.self))
    }

    /// Nil if the end was not reached in time, or there is more output.
    private static func all(from descriptor: Int32, until end: BootInstant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= 1 << 16 {
            guard (try? StreamSocket.wait(for: descriptor, events: POLLIN, until: end)) == true else { return nil }
            let count = read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count < 0 && errno != EINTR { return nil }
            bytes += piece.prefix(max(0, count))
        }
        return nil
    }

    /// Most programs have ended when they close their output. Others are checked again.
    private static func ending(of child: Int32, until end: BootInstant) -> ChildPrograms.Ending? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child { return ChildPrograms.Ending(status: exitCode(status)) }
            if ended < 0 && errno != EINTR { return ChildPrograms.Ending(status: nil) }
            guard BootInstant.now < end else { return nil }
            poll(nil, 0, 5)
        }
    }
}

/// Returns the text as one word of a shell command, in quotes if it needs them.
package func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/._-+,:@%=".utf8.contains(byte)
        }
    }
    if isPlain && !text.isEmpty { return text }
    // By bytes: a quote with a combining mark is a different character to Swift, but ends the word.
    let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
}
