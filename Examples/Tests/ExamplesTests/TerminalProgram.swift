import Glibc

/// One of the real programs in a pseudo terminal, and the screen of this terminal. Killed if it has not ended before.
final class TerminalProgram {
    private(set) var screen: TerminalScreen
    private let pid: pid_t
    private let controller: Int32
    private var hasEnded = false

    init(_ name: String, _ arguments: [String], rows: Int, columns: Int = 80) throws {
        screen = TerminalScreen(rows: rows, columns: columns)
        // The names of these two operations, TIOCSPTLCK and TIOCGPTN, are macros that Swift cannot import.
        let (setLock, getNumber) = (0x4004_5431 as UInt, 0x8004_5430 as UInt)
        var (unlocked, number): (Int32, UInt32) = (0, 0)
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard controller >= 0, ioctl(controller, setLock, &unlocked) == 0, ioctl(controller, getNumber, &number) == 0
        else { throw TestFailure(description: "no pseudo terminal: errno \(errno)") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens controls the session, and announces new sizes.
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
        for stream in [1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, 0, stream) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        posix_spawnattr_setsigmask(&attributes, &blocked)
        // POSIX_SPAWN_SETSID, which glibc declares only for GNU sources.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
        let path = builtProgram(name)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = [strdup("TERM=vt52"), nil]
        defer { (words + variables).forEach { free($0) } }
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, words, variables)
        self.pid = pid
        guard code == 0 else { throw TestFailure(description: "\(path) was not started: error \(code)") }
    }

    deinit {
        close(controller)
        guard !hasEnded else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    func type(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard write(controller, bytes, bytes.count) == bytes.count else {
            throw TestFailure(description: "the program does not read")
        }
    }

    func resize(rows: Int, columns: Int) {
        screen = TerminalScreen(rows: rows, columns: columns)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until the screen meets a condition.
    func wait(_ claim: String, _ condition: (TerminalScreen) -> Bool) throws {
        while !condition(screen) {
            guard try readMore(claim) else { throw TestFailure(description: "ended before: \(claim)") }
        }
    }

    /// Quits the program, and returns the last screen. The exit status has to be 0.
    func quit() throws -> TerminalScreen {
        try type("q")
        while try readMore("the program ends") {}
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        hasEnded = true
        guard status == 0 else { throw TestFailure(description: "wait status \(status) after:\n\(screen)") }
        return screen
    }

    /// Waits for output, at most 20 seconds; false at its end.
    private func readMore(_ claim: String) throws -> Bool {
        var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 20_000) == 1 else {
            throw TestFailure(description: "not within 20 seconds: \(claim); the screen is\n\(screen)")
        }
        var part = [UInt8](repeating: 0, count: 4096)
        let count = read(controller, &part, part.count)
        // The controller of a terminal that no program has open reports an error.
        guard count > 0 else { return false }
        for byte in part[..<count] { try screen.process(byte) }
        return true
    }
}
