import Glibc

/// How much a line of the log matters; the numbers are those of syslog(3).
package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    /// The level of the name `error`, `warning`, `info` or `debug`.
    package init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }

    package static func < (a: LogLevel, b: LogLevel) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// Lines on standard error; with systemd's `<N>` in front where the journal reads them (sd-daemon(3)).
///
/// A line is one write, and holds no control character, whoever's words are in it.
package struct Log: Sendable {
    /// Less important lines are not written.
    package var level: LogLevel
    private let prefixes: Bool
    private let sink: @Sendable (String) -> Void

    /// A log whose lines say their level for the journal where `prefixes`; the sink gets each with its line break.
    package init(
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

    package func error(_ message: @autoclosure () -> String) { write(.error, message) }
    package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    package func info(_ message: @autoclosure () -> String) { write(.info, message) }
    package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level <= self.level else { return }
        for line in message().split(separator: "\n") {
            let prefix = prefixes ? "<\(level.rawValue)>" : "jokesd: "
            sink(prefix + withoutControls(line) + "\n")
        }
    }

    private func withoutControls(_ line: Substring) -> String {
        String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: "?"
                    default: scalar
                    }
                }))
    }
}

/// Whether the descriptor leads to the journal: `$JOURNAL_STREAM` names it by device and inode (systemd.exec(5)).
package func isReadByJournal(
    _ descriptor: Int32 = standardError, stream: String? = environment("JOURNAL_STREAM")
) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
}
