import JokesCore
import JokesProtocol
import Varlink

/// The calls that follow the refresh of sources until the last of them has ended.
struct RefreshCalls {
    typealias Call = VarlinkCall<RefreshMethod.Parameters, RefreshMethod.Reply>

    private struct Follower {
        let call: Call
        var waitingFor: Set<String>
    }

    private var followers: [Follower] = []

    /// Answers a call. One that wants more replies follows the syncs that run.
    mutating func answer(_ call: Call, _ answers: [Wire.RefreshedSource]) {
        let running = Set(answers.filter { $0.state == .started || $0.state == .alreadyRunning }.map(\.name))
        guard call.wantsMore && !running.isEmpty else { return call.reply(RefreshMethod.Reply(sources: answers)) }
        call.send(RefreshMethod.Reply(sources: answers))
        followers.removeAll { !$0.call.isOpen }
        followers.append(Follower(call: call, waitingFor: running))
    }

    /// Sends the step of a sync to the calls that follow it. A call gets its last reply when its last sync ends.
    mutating func send(_ name: String, _ step: SyncStep) {
        let reply = RefreshMethod.Reply(sources: [Wire.RefreshedSource(name, step)])
        for index in followers.indices where followers[index].waitingFor.contains(name) {
            let call = followers[index].call
            if case .ended = step {
                followers[index].waitingFor.remove(name)
            } else if !call.isDrained {
                // The next step has all of this one. Nothing queues for a client that does not read.
                continue
            }
            followers[index].waitingFor.isEmpty ? call.reply(reply) : call.send(reply)
        }
        followers.removeAll { $0.waitingFor.isEmpty || !$0.call.isOpen }
    }
}

extension Wire.RefreshedSource {
    init(_ name: String, _ answer: RefreshAnswer) {
        switch answer {
        case .started: self.init(name: name, state: .started)
        case .alreadyRunning: self.init(name: name, state: .alreadyRunning)
        case .disabled, .noSuchSource: self.init(name: name, state: .disabled)
        case .tooSoon(let wait):
            self.init(name: name, state: .tooSoon, retryAfterMs: wait.wholeMicroseconds / 1000 + 1)
        }
    }

    init(_ name: String, _ step: SyncStep) {
        switch step {
        case .progress(let report, let elapsed):
            self.init(name: name, state: .syncing, report: Wire.SyncReport(report, elapsed: elapsed))
        case .ended(.succeeded(let report), let elapsed):
            self.init(name: name, state: .succeeded, report: Wire.SyncReport(report, elapsed: elapsed))
        case .ended(.cancelled, _): self.init(name: name, state: .failed, failure: "canceled")
        case .ended(.failed(let reason, _, _), _): self.init(name: name, state: .failed, failure: reason)
        }
    }
}
