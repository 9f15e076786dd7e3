import TestSupport
import Unix

/// A server that answers at random: at once, when the test releases it, or with a pause.
final class RandomServer: Sendable {
    let server: LoopbackServer
    private let state: Locked<State>

    private enum Mode { case random, long, short }

    private struct State {
        var random: SplitMix64
        var held: [Gate] = []
        /// The times of the requests, and the times at which a pause of a second was requested.
        var requests: [BootInstant] = []
        var pauses: [BootInstant] = []
        var mode = Mode.random
        var mustPause = false
    }

    init(seed: UInt64) throws {
        server = try LoopbackServer()
        state = Locked(State(random: SplitMix64(seed: seed)))
        server.routeEverythingElse { [weak self] request in
            (try? self?.answer(to: request)) ?? LoopbackAnswer(status: 500)
        }
    }

    private func answer(to request: LoopbackRequest) throws -> LoopbackAnswer {
        let gate = try Gate()
        return state.withLock { state in
            state.requests.append(.now)
            let (name, first) = (String(request.path.dropFirst()), state.random.int(in: 0..<1_000_000))
            switch state.mode {
            case .random: break
            case .long: return .jokes(10_000, of: name, from: first)
            case .short where state.mustPause: break
            case .short: return .jokes(1, of: name, from: first)
            }
            if state.mustPause || state.random.chance(1, in: 12) {
                state.mustPause = false
                state.pauses.append(.now)
                return .json("[]", status: 429, headers: [("Retry-After", "1")])
            }
            let count = state.random.chance(1, in: 3) ? 1500 : 5
            let answer = LoopbackAnswer.jokes(count, of: name, from: first)
            if state.random.chance(1, in: 2) { return answer }
            state.held.append(gate)
            return answer.delayed(until: gate)
        }
    }

    var requests: [BootInstant] { state.withLock { $0.requests } }
    var pauses: [BootInstant] { state.withLock { $0.pauses } }
    var holdsAnswers: Bool { state.withLock { !$0.held.isEmpty } }

    /// Sends the oldest answer that is held.
    func release() {
        let gate = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
        gate?.open()
    }

    /// Asks for a pause with the next answer.
    func pause() { state.withLock { $0.mustPause = true } }

    /// Sends all answers that are held. All later answers are sent at once, and are long or short.
    func answerAtOnce(isLong: Bool) {
        let gates = state.withLock { state in
            state.mode = isLong ? .long : .short
            defer { state.held = [] }
            return state.held
        }
        for gate in gates { gate.open() }
    }
}
