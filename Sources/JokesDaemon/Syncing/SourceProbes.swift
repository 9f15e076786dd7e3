import JokesCore
import JokesProtocol
import JokesSources
import Varlink

/// Fetches jokes of sources for clients, and stores nothing: a probe of a new source, or a test of a configured source.
@ServiceActor
final class SourceProbes {
    /// The maximum number of probes and tests at a time, because each may have a long answer in memory.
    private static let maxCount = 4

    private let worker: SyncWorker
    private let syncs: SyncRunner
    private var count = 0

    init(_ worker: SyncWorker, _ syncs: SyncRunner) { (self.worker, self.syncs) = (worker, syncs) }

    /// Answers a call with the result of a body, and cancels the body if the client disconnects.
    private func answer<Parameters, Reply>(
        _ call: VarlinkCall<Parameters, Reply>, for source: SourceConfiguration,
        _ body: @escaping @ServiceActor () async throws -> Reply
    ) throws {
        guard count < Self.maxCount else {
            throw ErrorReply(
                JokesError.busy(
                    retryAfterMs: 1000, reason: "at most \(Self.maxCount) sources are probed or tested at a time"))
        }
        try syncs.startProbe(of: source)
        count += 1
        let task = Task {
            defer { count -= 1 }
            do {
                call.reply(try await body())
            } catch let error as SourceError {
                call.fail(ErrorReply(JokesError(error)))
            } catch {
                call.fail(JokesService.errorReply(for: error))
            }
        }
        call.onClosed { task.cancel() }
    }

    /// Fetches some jokes of a configured source.
    func test(
        _ call: VarlinkCall<TestSourceMethod.Parameters, TestSourceMethod.Reply>, _ source: SourceConfiguration,
        _ filter: JokeFilter
    ) throws {
        try answer(call, for: source) { [worker, syncs] in
            let sample = try await worker.sample(of: source, filter, through: syncs.gate(of: source, maxWait: .zero))
            return TestSourceMethod.Reply(sample: sample)
        }
    }

    /// Fetches some jokes of a draft, and completes its entry if the type must be recognized.
    func probe(
        _ call: VarlinkCall<ProbeMethod.Parameters, ProbeMethod.Reply>, _ draft: SourceDraft, _ filter: JokeFilter
    ) throws {
        let source = try draft.configuration()
        try answer(call, for: source) { [worker, syncs] in
            let gate = syncs.gate(of: source, maxWait: .zero)
            let found =
                try await draft.isComplete
                ? (draft: draft, sample: worker.sample(of: source, filter, through: gate))
                : worker.recognize(draft, filter, through: gate)
            let entry = found.draft.entry
            return ProbeMethod.Reply(
                name: entry.name, type: entry.type, entry: found.draft.text, sample: found.sample)
        }
    }
}

extension JokesError {
    fileprivate init(_ error: SourceError) {
        // `JokesError.busy` means that jokesd waits for its own rate limit; `SourceError.busy`, that the service is
        // busy.
        if error.code == .paused, let wait = error.retryAfter {
            self = .busy(retryAfterMs: wait.retryAfterMs, reason: error.description)
            return
        }
        let hint =
            switch error.code {
            case .unreachable: "Check the address and your network connection."
            case .busy: error.retryAfter.map { "Try again in \(TimeInWords.length(max($0, .seconds(1))))." }
            default: error.hint
            }
        self = .sourceFailed(reason: error.description, hint: hint)
    }
}
