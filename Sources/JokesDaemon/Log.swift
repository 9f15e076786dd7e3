import Glibc
import TextLayout
import Unix

/// The level of a line in the log, with the number of syslog(3).
enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    /// The level with a name: `error`, `warning`, `info` or `debug`.
    init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    static func < (a: LogLevel, b: LogLevel) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// Writes lines to standard error, with the prefix `<N>` for the journal of systemd (sd-daemon(3)).
///
/// Each line is one write, without control characters.
struct Log: Sendable {
    /// The least important level that is written.
    var level: LogLevel
    private let prefixes: Bool
    private let sink: @Sendable (String) -> Void

    /// With `prefixes`, lines begin with their level for the journal. The sink receives each line with its line feed.
    init(
        level: LogLevel, prefixes: Bool = isReadByJournal(),
        to sink: @escaping @Sendable (String) -> Void = { line in
            // There is no other place to report this.
            try? writeFully(line, to: standardError)
        }
    ) {
        self.level = level
        self.prefixes = prefixes
        self.sink = sink
    }

    func error(_ message: @autoclosure () -> String) { write(.error, message) }
    func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    func info(_ message: @autoclosure () -> String) { write(.info, message) }
    func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level <= self.level else { return }
        for line in message().split(separator: "\n") {
            let prefix = prefixes ? "<\(level.rawValue)>" : "jokesd: "
            sink(prefix + sanitized(String(line)) + "\n")
        }
    }
}

/// Returns whether the descriptor is connected to the journal: `$JOURNAL_STREAM` has its device and inode (systemd.exec(5)).
func isReadByJournal(
    _ descriptor: Int32 = standardError, stream: String? = environment("JOURNAL_STREAM")
) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
}

extension Log {
    /// Does what fails only if the store cannot be read, and logs the failure.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            self.error("cannot \(what): \(error)")
        }
    }
}
