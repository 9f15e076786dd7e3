import CommandLineTools
import JokesCore
import TextLayout
import Unix

/// A run of `jokesd --once`: syncs every enabled source once, prints one line per source, and exits.
@ServiceActor
final class SyncOnceRun {
    private let daemon: Daemon
    private var lines = LiveLines(on: liveArea(of: standardOutput))
    /// The sources whose last sync has succeeded since the start or the recovery.
    private var synced: Set<String> = []
    /// The syncs start again after a recovery, but only once: if the recovery has failed, they would find the same damage.
    private var startsLeft = 2

    init(_ options: DaemonOptions) throws { daemon = try Daemon(options, serves: false) }

    /// Runs the syncs, and returns the exit code: 0 if all succeeded, 75 if a source was not synced or a signal stopped
    /// the run.
    func run() throws -> Int32 {
        var isComplete = false
        daemon.syncs.onStep = { [unowned self] name, step in show(name, step) }
        daemon.startSyncs = { [unowned self] in startAll() }
        daemon.onIdle = { [unowned daemon] in
            isComplete = true
            daemon.stop()
        }
        try daemon.run()
        let hasSucceeded = isComplete && synced.isSuperset(of: enabledSources)
        return hasSucceeded ? 0 : DaemonFailure.ExitCode.tryLater.rawValue
    }

    private var enabledSources: [String] { daemon.configuration.sources.filter(\.isEnabled).map(\.name) }

    /// Starts all syncs: first, and after a recovery, which has lost the jokes of all sources.
    private func startAll() {
        synced = []
        if startsLeft == 0 { return }
        startsLeft -= 1
        if enabledSources.isEmpty { try? writeFully("no source is enabled\n", to: standardOutput) }
        daemon.syncs.startAll()
    }

    /// Notes the end of a sync, and updates the line of its source.
    private func show(_ name: String, _ step: SyncStep) {
        if case .ended(let outcome, _) = step, outcome.hasSynced { synced.insert(name) }
        let text =
            switch step {
            case .progress(let report, let elapsed):
                lines.update(name, to: "\(name): \(report.taking(elapsed).inWords)")
            case .ended(.succeeded(let report), let elapsed):
                lines.finish(name, with: sanitized("\(name): \(report.taking(elapsed).inWords)"))
            case .ended(.cancelled, _): lines.finish(name, with: "\(name): canceled")
            case .ended(.failed(let reason, _, _), _):
                lines.finish(name, with: sanitized("\(name): failed: \(reason)"))
            }
        // The sync continues even if the reader of the output has closed the pipe.
        try? writeFully(text, to: standardOutput)
    }
}

extension SyncOutcome {
    /// A sync that had to wait before the first answer of its server has not synced anything.
    fileprivate var hasSynced: Bool {
        guard case .succeeded(let report) = self else { return false }
        return !report.isPaused || report.seen > 0
    }
}
