import JokesCore
import JokesProtocol
import Synchronization
import Unix
import Varlink

/// Logs the events of clients.
///
/// The first connection of each user is logged; later ones only at level `debug`. Mistakes of clients are logged at a limited
/// rate, so that a client cannot fill the log.
final class PeerLog: Sendable {
    /// The maximum number of lines in a row.
    static let burst = 20
    /// The time after which one more line is allowed.
    static let pause = Duration.seconds(30)
    private static let maxUsers = 256
    /// The ID of all users of another user namespace, such as one of `PrivateUsers=`.
    private static let unmapped: UInt32 = 65534

    private struct State {
        var users: Set<UInt32> = []
        var allowance = PeerLog.burst
        /// The time at which the pause for the next line began.
        var since: BootInstant
        var omitted = 0

        mutating func isNew(_ user: UInt32) -> Bool {
            users.count < PeerLog.maxUsers && users.insert(user).inserted
        }

        /// Returns whether one more line is allowed, and counts it.
        mutating func allows(at now: BootInstant) -> Bool {
            while allowance < PeerLog.burst, now >= since.advanced(by: PeerLog.pause) {
                allowance += 1
                since = since.advanced(by: PeerLog.pause)
            }
            if allowance == PeerLog.burst { since = now }
            guard allowance > 0 else { return false }
            allowance -= 1
            return true
        }
    }

    private let log: Log
    private let state: Mutex<State>

    init(_ log: Log) {
        self.log = log
        state = Mutex(State(since: .now))
    }

    /// Logs an event, if its level and the rate allow it.
    func log(_ event: ServiceEvent) {
        switch event {
        case .connected(let peer):
            if state.withLock({ $0.isNew(peer.uid) }) {
                let others = peer.uid == Self.unmapped ? "from unidentified users" : "from this user"
                log.info("\(event); further connections \(others) are not logged")
            } else {
                log.debug(event.description)
            }
        case .disconnected: log.debug(event.description)
        case .acceptingResumed: write(event.description) { log.info($0) }
        default: write(event.description) { log.warning($0) }
        }
    }

    /// Writes a line, or counts it as omitted.
    private func write(_ line: String, body: (String) -> Void) {
        let (omitted, isAllowed) = state.withLock { state in
            let omitted = state.omitted
            let isAllowed = state.allows(at: .now)
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
