import JokesCore
import TestSupport

/// The acknowledged marks, and the unconfirmed ones whose call got no answer before the daemon died.
final class Ledger: Sendable {
    enum Mark: CaseIterable, Sendable {
        case star, hidden
    }

    enum Standing: Sendable {
        case set, unset
        /// Requested, but not acknowledged.
        case open
    }

    private struct State {
        var standings: [Mark: [String: Standing]] = [:]
        var acknowledged = 0
    }

    private let state = Locked(State())

    /// The number of calls acknowledged so far.
    var acknowledged: Int {
        state.withLock { $0.acknowledged }
    }

    /// The IDs of jokes that have or had the mark.
    func ids(_ mark: Mark) -> [String] {
        state.withLock { $0.standings[mark].map { Array($0.keys) } ?? [] }
    }

    /// Notes that a call is about to be sent.
    func ask(_ mark: Mark, of id: String) {
        state.withLock { $0.standings[mark, default: [:]][id] = .open }
    }

    /// Returns the known state of a joke's mark, or `nil` if no call has requested a change.
    func standing(_ mark: Mark, of id: String) -> Standing? {
        state.withLock { $0.standings[mark]?[id] }
    }

    /// Restores the state from before a call that the daemon refused.
    func restore(_ mark: Mark, _ standing: Standing?, of id: String) {
        state.withLock { $0.standings[mark]?[id] = standing }
    }

    /// Notes that the daemon acknowledged the call.
    func acknowledge(_ mark: Mark, _ isSet: Bool, of id: String) {
        state.withLock { state in
            state.standings[mark, default: [:]][id] = isSet ? .set : .unset
            state.acknowledged += 1
        }
    }

    /// Compares the ledger with the marks in the database, which then become the known state.
    ///
    /// - Returns: The number of compared marks, and the IDs whose mark differs from the acknowledged state.
    func compare(_ mark: Mark, _ marked: Set<Fingerprint>) -> (compared: Int, wrong: [String]) {
        state.withLock { state in
            var (compared, wrong) = (0, [String]())
            for (id, standing) in state.standings[mark] ?? [:] {
                let isSet = marked.contains(ChangingSources.fingerprint(id))
                if standing != .open {
                    compared += 1
                    if (standing == .set) != isSet { wrong.append("\(id), which was \(standing)") }
                }
                state.standings[mark, default: [:]][id] = isSet ? .set : .unset
            }
            return (compared, wrong)
        }
    }
}
