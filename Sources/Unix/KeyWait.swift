import CLinux
import Glibc

/// A wait at a terminal that a key can cut short. While it lasts, the terminal hands on each key as it is typed and shows
/// none; it is given back as it was however the wait ends: by the key, by time, by a signal, or by a fault.
///
/// For programs of one thread.
package struct KeyWait {
    package enum End: Hashable, Sendable {
        case key
        case time
        /// Nobody is left at the terminal.
        case gone
    }

    private let input: Int32
    private let output: Int32
    private let farewell: [UInt8]

    /// - Parameters:
    ///   - input: Where the keys are typed.
    ///   - output: The same terminal, to be written to.
    ///   - farewell: Is written where a signal ends or stops the process.
    package init(at input: Int32, output: Int32, farewell: String) {
        self.input = input
        self.output = output
        self.farewell = Array(farewell.utf8)
    }

    /// Whether keys can be waited for: a terminal is there, and this program is the one that it belongs to.
    package static func isPossible(at input: Int32) -> Bool {
        isTerminal(input) && tcgetpgrp(input) == getpgrp()
    }

    /// Waits until one of the keys is typed; others are dropped. Of what was typed before, too, nothing behind the key is
    /// taken. Nothing wakes the process but keys, signals and the time.
    package func callAsFunction(_ keys: String, until limit: BootInstant) throws(SystemError) -> End {
        // After SIGCONT the modes may be the shell's: nobody is told of SIGSTOP.
        let signals = try HeldSignals([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT])
        defer { signals.end() }
        while true {
            if let end = try waitUndisturbed(for: Array(keys.utf8), until: limit, signals) { return end }
            while let signal = signals.next() {
                _ = write(output, farewell, farewell.count)
                signals.deliver(signal)
            }
        }
    }

    /// Nil where a signal came; the terminal is as it was before.
    private func waitUndisturbed(
        for keys: [UInt8], until limit: BootInstant, _ signals: HeldSignals
    ) throws(SystemError) -> End? {
        let mode = try KeyMode(of: input, output: output, farewell: farewell)
        defer { mode.end() }
        while true {
            var entries = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            _ = try retrying("poll") { poll(&entries, 2, StreamSocket.milliseconds(until: limit)) }
            if entries[1].revents != 0 { return nil }
            if entries[0].revents == 0 { return .time }
            var key: UInt8 = 0
            // One at a time: what is typed behind the key is for whoever comes next. An error is a terminal that is gone.
            switch read(input, &key, 1) {
            case 1: break
            case -1 where errno == EINTR: continue
            default: return .gone
            }
            if keys.contains(key) { return .key }
        }
    }
}

/// A terminal that hands on each key, until `end`.
private struct KeyMode {
    private let terminal: Int32
    private let before: termios

    init(of terminal: Int32, output: Int32, farewell: [UInt8]) throws(SystemError) {
        var modes = termios()
        try retrying("read the terminal settings") { tcgetattr(terminal, &modes) }
        self.terminal = terminal
        before = modes
        farewell.withUnsafeBytes {
            linux_guard_terminal(
                terminal, &modes, output, $0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count)
        }
        modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        (modes.c_cc.5, modes.c_cc.6) = (0, 1)  // VTIME and VMIN: a read waits for a byte.
        tcsetattr(terminal, TCSADRAIN, &modes)
    }

    func end() {
        var modes = before
        tcsetattr(terminal, TCSADRAIN, &modes)
        linux_release_terminal()
    }
}
