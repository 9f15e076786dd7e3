import JokesCore
import JokesProtocol
import Varlink

/// The calls of `Refresh` that receive progress until all of their syncs have ended.
struct RefreshCalls {
    /// The calls, each with its sources whose syncs have not ended.
    private var openCalls: [(call: Call<RefreshMethod>, unfinished: Set<String>)] = []

    /// Replies to a call. If the call wants more replies, the call also receives the steps of the running syncs.
    mutating func reply(to call: Call<RefreshMethod>, _ answers: [RefreshedSource]) {
        let running = Set(answers.filter { $0.state == .started || $0.state == .alreadyRunning }.map(\.name))
        guard call.wantsMore && !running.isEmpty else { return call.reply(RefreshMethod.Reply(sources: answers)) }
        call.send(RefreshMethod.Reply(sources: answers))
        openCalls.removeAll { !$0.call.isOpen }
        openCalls.append((call, running))
    }

    /// Sends the step of a sync to the calls that wait for the sync. The end of the last sync of a call is its last
    /// reply.
    mutating func send(_ step: RefreshedSource) {
        let reply = RefreshMethod.Reply(sources: [step])
        for index in openCalls.indices where openCalls[index].unfinished.contains(step.name) {
            let call = openCalls[index].call
            if step.state != .syncing {
                openCalls[index].unfinished.remove(step.name)
            } else if !call.isDrained {
                // Skips a client while the socket has not taken the last reply. The next step includes the counts of
                // this step.
                continue
            }
            openCalls[index].unfinished.isEmpty ? call.reply(reply) : call.send(reply)
        }
        openCalls.removeAll { $0.unfinished.isEmpty || !$0.call.isOpen }
    }
}

extension RefreshedSource {
    init(_ name: String, _ answer: RefreshAnswer) {
        switch answer {
        case .started: self.init(name: name, state: .started)
        case .alreadyRunning: self.init(name: name, state: .alreadyRunning)
        case .disabled, .noSuchSource: self.init(name: name, state: .disabled)
        case .tooSoon(let wait, let reason):
            self.init(name: name, state: .tooSoon, retryAfterMs: wait.retryAfterMs, failure: reason)
        }
    }

    /// The end of a sync.
    init(_ name: String, _ outcome: SyncOutcome, elapsed: Duration) {
        switch outcome {
        case .succeeded(let report): self.init(name: name, state: .succeeded, report: report.withElapsed(elapsed))
        case .cancelled: self.init(name: name, state: .failed, failure: "canceled")
        case .failed(let reason, _, _): self.init(name: name, state: .failed, failure: reason)
        }
    }
}

extension Duration {
    /// The time that a client should wait, in milliseconds, and never too short.
    var retryAfterMs: Int64 { wholeMicroseconds / 1000 + 1 }
}
