import Glibc
import TextLayout
import Unix

/// The level of a line in the log, with the number of syslog(3).
enum LogLevel: Int, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    var name: String { "\(self)" }
}

/// Writes lines to standard error, with the prefix `<N>` for the journal of systemd (sd-daemon(3)).
///
/// Each line is one write, without control characters.
struct Log: Sendable {
    /// The least important level that is written.
    var level: LogLevel
    private let addsPrefixes: Bool
    private let sink: @Sendable (String) -> Void

    /// Creates a log. If `addsPrefixes` is true, each line begins with its level for the journal. The sink receives
    /// each line with its line feed.
    init(
        level: LogLevel, addsPrefixes: Bool = isReadByJournal(),
        to sink: @escaping @Sendable (String) -> Void = { line in
            // An error of standard error cannot be reported anywhere else.
            try? writeFully(line, to: standardError)
        }
    ) {
        self.level = level
        self.addsPrefixes = addsPrefixes
        self.sink = sink
    }

    func error(_ message: @autoclosure () -> String) { write(.error, message) }
    func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    func info(_ message: @autoclosure () -> String) { write(.info, message) }
    func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    /// Runs the body. If the body throws, logs "cannot", the action and the error.
    func attempt(_ action: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            self.error("cannot \(action): \(error)")
        }
    }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level.rawValue <= self.level.rawValue else { return }
        for line in message().split(separator: "\n") {
            let prefix = addsPrefixes ? "<\(level.rawValue)>" : "jokesd: "
            sink(prefix + sanitized(String(line)) + "\n")
        }
    }
}

/// Returns true if the descriptor is connected to the journal: `$JOURNAL_STREAM` has its device and inode
/// (systemd.exec(5)).
func isReadByJournal(_ descriptor: Int32 = standardError, stream: String? = environment("JOURNAL_STREAM")) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
}
