import Glibc

/// A program to be started beside this one: what it is called with, and what it is given.
///
/// It starts as from a shell: no signal is blocked, and that of broken pipes is not ignored.
package struct ChildProgram: Hashable, Sendable {
    /// What it finds at one of its standard descriptors.
    package enum Stream: Hashable, Sendable {
        case file(String, isWritable: Bool = false)
        /// What this program has there.
        case descriptor(Int32)
        /// What it has itself as its standard input.
        case sameAsInput

        package static let nothing = Stream.file("/dev/null", isWritable: true)
    }

    /// Its path, or its name, which is looked for where PATH says.
    package var program: String
    /// What follows its name.
    package var arguments: [String]
    /// The whole of it; nil for that of this program.
    package var environment: [String: String]?
    package var input = Stream.nothing
    package var output = Stream.nothing
    package var errors = Stream.nothing
    /// Whether it leads a session of its own: away from this one's terminal, and controlled by the one that it is given.
    package var leadsSession = false

    package init(_ program: String, _ arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    /// Starts it; whoever does has to wait for its end.
    ///
    /// - Returns: its process id.
    /// - Throws: `SystemError`, with ENOENT where there is no such program.
    package func start() throws(SystemError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // In this order: the first terminal that the leader of a session opens controls it, and is there to be copied.
        for (descriptor, stream) in [(standardInput, input), (standardOutput, output), (standardError, errors)] {
            stream.add(to: &actions, as: descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        var usual = sigset_t()
        sigemptyset(&usual)
        sigaddset(&usual, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        let session = leadsSession ? newSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
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

extension ChildProgram.Stream {
    fileprivate func add(to actions: inout posix_spawn_file_actions_t, as descriptor: Int32) {
        switch self {
        case .file(let path, let isWritable):
            posix_spawn_file_actions_addopen(&actions, descriptor, path, isWritable ? O_RDWR : O_RDONLY, 0)
        case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, descriptor)
        case .sameAsInput: posix_spawn_file_actions_adddup2(&actions, standardInput, descriptor)
        }
    }
}

/// Waits until a program that was started has ended.
///
/// - Returns: its exit code; nil where a signal ended it, or the kernel does not tell.
package func waitForEnd(of child: Int32) -> Int32? {
    var status: Int32 = 0
    while waitpid(child, &status, 0) != child {
        guard errno == EINTR else { return nil }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
}

/// POSIX_SPAWN_SETSID, which glibc declares for GNU sources alone.
private let newSession: Int32 = 0x80

/// The text as one word of a shell command, in quotes if a shell could take the text for more.
package func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/._-+,:@%=".utf8.contains(byte)
        }
    }
    if isPlain && !text.isEmpty { return text }
    // By bytes: a quote with a combining mark is one character, and ends the word.
    let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
}
