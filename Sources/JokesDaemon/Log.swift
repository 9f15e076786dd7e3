import Glibc
import JokesCore
import Synchronization
import TextLayout
import Unix
import Varlink

/// The level of a line in the log, with the number of syslog(3).
enum LogLevel: Int, Sendable, CaseIterable {
    case error = 3
    case warning = 4
    case info = 6
    case debug = 7

    init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
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

    /// Runs the body, and logs its error.
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            self.error("cannot \(what): \(error)")
        }
    }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level.rawValue <= self.level.rawValue else { return }
        for line in message().split(separator: "\n") {
            let prefix = prefixes ? "<\(level.rawValue)>" : "jokesd: "
            sink(prefix + sanitized(String(line)) + "\n")
        }
    }
}

/// Returns whether the descriptor is connected to the journal: `$JOURNAL_STREAM` has its device and inode (systemd.exec(5)).
func isReadByJournal(_ descriptor: Int32 = standardError, stream: String? = environment("JOURNAL_STREAM")) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
}

/// Logs the events of clients.
///
/// The first connection of each user is logged; later ones only at level `debug`. Mistakes of clients are logged at a limited
/// rate, so that a client cannot fill the log.
final class PeerLog: Sendable {
    /// The maximum number of lines in a row, and the time after which one more is allowed.
    private static let (burst, pause) = (20, Duration.seconds(30))
    private static let maxUsers = 256
    /// The ID of all users of another user namespace, such as one of `PrivateUsers=`.
    private static let unmapped: UInt32 = 65534

    private struct State {
        var users: Set<UInt32> = []
        /// The time when a whole burst is allowed again; in the past if it is.
        var resetAt = BootInstant.now
        var omitted = 0

        mutating func isNew(_ user: UInt32) -> Bool {
            users.count < PeerLog.maxUsers && users.insert(user).inserted
        }

        /// Returns whether one more line is allowed, and counts it.
        mutating func allowsLine(at now: BootInstant) -> Bool {
            let next = max(resetAt, now).advanced(by: PeerLog.pause)
            guard now.duration(to: next) <= PeerLog.pause * PeerLog.burst else { return false }
            resetAt = next
            return true
        }
    }

    private let log: Log
    private let state = Mutex(State())

    init(_ log: Log) { self.log = log }

    /// Logs an event, if its level and the rate allow it.
    func log(_ event: ServiceEvent) {
        switch event {
        case .connected(let peer):
            guard state.withLock({ $0.isNew(peer.uid) }) else { return log.debug(event.description) }
            let others = peer.uid == Self.unmapped ? "from unidentified users" : "from this user"
            log.info("\(event); further connections \(others) are not logged")
        case .disconnected: log.debug(event.description)
        case .acceptingResumed: write(event.description) { log.info($0) }
        default: write(event.description) { log.warning($0) }
        }
    }

    /// Writes a line, or counts it as omitted.
    private func write(_ line: String, body: (String) -> Void) {
        let (omitted, isAllowed) = state.withLock { state in
            let omitted = state.omitted
            let isAllowed = state.allowsLine(at: .now)
            state.omitted = isAllowed ? 0 : omitted + 1
            return (omitted, isAllowed)
        }
        if isAllowed {
            if omitted > 0 { log.warning("suppressed \(counted(omitted, "message")) about clients") }
            body(line)
        } else if omitted == 0 {
            log.warning("too many messages about clients: suppressing most of them")
        }
    }
}
