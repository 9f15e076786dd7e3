import JokesProtocol
import Synchronization
import Unix
import Varlink

/// What the log is told of those who use the socket.
///
/// Each user is named once, when a first connection of theirs comes; all further comings and goings are for debugging.
/// What clients do wrong is told line by line, but only so much of it: a log is no place for a stranger to fill.
final class PeerLog: Sendable {
    /// Lines about clients that may come in a row.
    static let burst = 20
    /// How long it takes until one more may come.
    static let pause = Duration.seconds(30)
    private static let rememberedUsers = 256
    /// Whom the kernel names in place of every user of another user namespace, as `PrivateUsers=` makes one.
    private static let unmapped: UInt32 = 65534

    private struct State {
        var users: Set<UInt32> = []
        var allowance = PeerLog.burst
        /// From when on the next addition to the allowance is earned.
        var since: BootInstant
        var omitted = 0

        mutating func isNew(_ user: UInt32) -> Bool {
            users.count < PeerLog.rememberedUsers && users.insert(user).inserted
        }

        /// Whether one more line may come.
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

    /// Writes the line of the event, if it is to have one.
    func tell(_ event: ServiceEvent) {
        switch event {
        case .connected(let peer):
            if state.withLock({ $0.isNew(peer.uid) }) {
                let others = peer.uid == Self.unmapped ? "from unidentified users" : "from this user"
                log.info("\(event); further connections \(others) are not logged")
            } else {
                log.debug(event.description)
            }
        case .disconnected: log.debug(event.description)
        case .acceptingResumed: tell(event.description) { log.info($0) }
        default: tell(event.description) { log.warning($0) }
        }
    }

    /// Writes a line, or counts it.
    private func tell(_ line: String, write: (String) -> Void) {
        let (omitted, isAllowed) = state.withLock { state in
            let omitted = state.omitted
            let isAllowed = state.allows(at: .now)
            state.omitted = isAllowed ? 0 : omitted + 1
            return (omitted, isAllowed)
        }
        if isAllowed {
            if omitted > 0 { log.warning("suppressed \(counted(omitted, "message")) about clients") }
            write(line)
        } else if omitted == 0 {
            log.warning("too many messages about clients: suppressing most of them")
        }
    }
}
