import Glibc
import TextLayout
import Unix

/// How much a line of the log matters; the numbers are those of syslog(3).
enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    /// The level of the name `error`, `warning`, `info` or `debug`.
    init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    static func < (a: LogLevel, b: LogLevel) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// Lines on standard error; with systemd's `<N>` in front where the journal reads them (sd-daemon(3)).
///
/// A line is one write, and holds no control character, whoever's words are in it.
struct Log: Sendable {
    /// Less important lines are not written.
    var level: LogLevel
    private let prefixes: Bool
    private let sink: @Sendable (String) -> Void

    /// A log whose lines say their level for the journal where `prefixes`; the sink gets each with its line break.
    init(
        level: LogLevel, prefixes: Bool = isReadByJournal(),
        to sink: @escaping @Sendable (String) -> Void = { line in
            // A log that cannot be written has nobody to tell.
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

/// Whether the descriptor leads to the journal: `$JOURNAL_STREAM` names it by device and inode (systemd.exec(5)).
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
