import JokesCore
import Synchronization
import Unix
import Varlink

/// Logs the events of client connections.
///
/// The first connection of each user is logged at level `info`, later connections at level `debug`. All other events
/// except disconnections are logged at a limited rate (a token bucket), so that a client cannot fill the log.
final class ClientLog: Sendable {
    /// The size of a burst of lines, and the interval after which one more line is allowed.
    private static let (burst, interval) = (20, Duration.seconds(30))
    /// The maximum number of users whose first connection is logged.
    private static let maxUsers = 256
    /// The kernel's ID for a user without a mapping in this user namespace (user_namespaces(7)), as with
    /// `PrivateUsers=`.
    private static let overflowUserID: UInt32 = 65534

    private struct State {
        /// The users with a logged first connection.
        var users: Set<UInt32> = []
        /// The time from which a full burst is allowed.
        var fullBurstAt = BootInstant.now
        /// The number of lines that were suppressed since the last line.
        var suppressed = 0

        /// Returns true for the first connection of a user, and stores the user.
        mutating func insert(_ user: UInt32) -> Bool {
            users.count < ClientLog.maxUsers && users.insert(user).inserted
        }

        /// Returns true if one more line is allowed, and counts this line.
        mutating func allowsLine(at now: BootInstant) -> Bool {
            let next = max(fullBurstAt, now).advanced(by: ClientLog.interval)
            guard now.duration(to: next) <= ClientLog.interval * ClientLog.burst else { return false }
            fullBurstAt = next
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
            guard state.withLock({ $0.insert(peer.uid) }) else { return log.debug(event.description) }
            let others = peer.uid == Self.overflowUserID ? "from unidentified users" : "from this user"
            log.info("\(event); further connections \(others) are not logged")
        case .disconnected: log.debug(event.description)
        case .acceptingResumed: write(event.description) { log.info($0) }
        default: write(event.description) { log.warning($0) }
        }
    }

    /// Writes a line, or counts the line as suppressed.
    private func write(_ line: String, body: (String) -> Void) {
        let (suppressed, isAllowed) = state.withLock { state in
            let suppressed = state.suppressed
            let isAllowed = state.allowsLine(at: .now)
            state.suppressed = isAllowed ? 0 : suppressed + 1
            return (suppressed, isAllowed)
        }
        if isAllowed {
            if suppressed > 0 { log.warning("suppressed \(counted(suppressed, "message")) about clients") }
            body(line)
        } else if suppressed == 0 {
            log.warning("too many messages about clients: suppressing most of them")
        }
    }
}
