import JokesCore
import JokesProtocol
import JokesSources
import Varlink

// Fetches jokes of sources for clients, and stores nothing.

extension SyncRunner {
    /// Answers a call with the result of a body, and cancels the body if the client disconnects. Throws `Busy` if the server
    /// of the source does not allow requests yet.
    private func answer<Parameters, Reply>(
        _ call: VarlinkCall<Parameters, Reply>, for source: SourceConfiguration,
        _ body: @escaping @ServiceActor (SyncWorker, RequestGate) async throws -> Reply
    ) throws {
        try startProbe(of: source)
        let gate = gate(of: source, maxWait: .zero)
        let task = Task { [worker] in
            do {
                call.reply(try await body(worker, gate))
            } catch {
                call.fail(JokesService.errorReply(for: error))
            }
        }
        call.onClosed { task.cancel() }
    }

    /// Fetches some jokes of a configured source.
    func test(
        _ call: Call<TestSourceMethod>, _ source: SourceConfiguration,
        _ filter: JokeFilter
    ) throws {
        try answer(call, for: source) { worker, gate in
            TestSourceMethod.Reply(sample: try await worker.sample(of: source, filter, through: gate))
        }
    }

    /// Fetches some jokes of a draft, and completes its entry if the type must be recognized.
    func probe(
        _ call: Call<ProbeMethod>, _ draft: SourceDraft, _ filter: JokeFilter
    ) throws {
        let source = try draft.configuration()
        try answer(call, for: source) { worker, gate in
            var found =
                try await draft.isComplete
                ? (draft: draft, sample: worker.sample(of: source, filter, through: gate))
                : worker.recognize(draft, filter, through: gate)
            let entry = found.draft.entry
            if let remark = try found.draft.remarkOnName { found.sample.notes.append(remark) }
            return ProbeMethod.Reply(
                name: entry.name, type: entry.type, entry: found.draft.text, sample: found.sample)
        }
    }
}

extension JokesError {
    init(_ error: SourceError) {
        // `JokesError.busy` means that jokesd waits for its own rate limit; `SourceError.busy`, that the service is
        // busy.
        if error.code == .paused, let wait = error.retryAfter {
            self = .busy(retryAfterMs: wait.retryAfterMs, reason: error.description)
            return
        }
        let hint =
            switch error.code {
            case .unreachable: "Check the address and your network connection."
            case .file:
                error.hint
                    ?? "The user of jokesd must be able to read it. A daemon of the system cannot read home folders."
            case .busy: error.retryAfter.map { "Try again in \(TimeInWords.length(max($0, .seconds(1))))." }
            default: error.hint
            }
        self = .sourceFailed(reason: error.description, hint: hint)
    }
}
