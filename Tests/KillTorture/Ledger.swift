import JokesCore
import TestSupport

/// What the daemon has acknowledged, and what may be either way because it died over it.
final class Ledger: Sendable {
    enum Mark: CaseIterable, Sendable {
        case star, hidden
    }

    enum Standing: Sendable {
        case set, unset
        /// Asked for, and never answered.
        case open
    }

    private struct State {
        var standings: [Mark: [String: Standing]] = [:]
        var acknowledged = 0
    }

    private let state = Locked(State())

    /// Calls that were acknowledged, so far.
    var acknowledged: Int {
        state.withLock { $0.acknowledged }
    }

    /// The ids of jokes that have, or had, the mark.
    func ids(_ mark: Mark) -> [String] {
        state.withLock { $0.standings[mark].map { Array($0.keys) } ?? [] }
    }

    /// A call is about to go out.
    func ask(_ mark: Mark, of id: String) {
        state.withLock { $0.standings[mark, default: [:]][id] = .open }
    }

    /// What is known of a joke's mark; nil where nobody has asked.
    func standing(_ mark: Mark, of id: String) -> Standing? {
        state.withLock { $0.standings[mark]?[id] }
    }

    /// The daemon has refused the call.
    func restore(_ mark: Mark, _ standing: Standing?, of id: String) {
        state.withLock { $0.standings[mark]?[id] = standing }
    }

    /// The answer is here.
    func acknowledge(_ mark: Mark, _ isSet: Bool, of id: String) {
        state.withLock { state in
            state.standings[mark, default: [:]][id] = isSet ? .set : .unset
            state.acknowledged += 1
        }
    }

    /// Compares with the marks that are in the database; from there on these are what is known.
    ///
    /// - Returns: how many standings were compared, and the ids of those that are not as they were acknowledged.
    func settle(_ mark: Mark, _ marked: Set<Fingerprint>) -> (compared: Int, wrong: [String]) {
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
