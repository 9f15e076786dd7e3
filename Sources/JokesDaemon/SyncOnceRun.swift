import CommandLineTools
import JokesCore
import TextLayout
import Unix

/// A run of `jokesd --once`: syncs every enabled source once, prints one line per source, and exits.
@ServiceActor
final class SyncOnceRun {
    private let daemon: Daemon
    private var lines = LiveLines(on: liveArea(of: standardOutput))
    /// The sources whose sync has succeeded.
    private var synced: Set<String> = []
    private var hasStarted = false

    init(_ options: DaemonOptions) throws { daemon = try Daemon(options, serves: false) }

    /// Runs the syncs, and returns the exit code: 0 if all succeeded, 75 if a source was not synced or a signal stopped
    /// the run.
    func run() throws -> Int32 {
        var isComplete = false
        daemon.syncs.onStep = { [unowned self] in show($0) }
        daemon.startSyncs = { [unowned self] in startAll() }
        daemon.onIdle = { [unowned daemon] in
            isComplete = true
            daemon.stop()
        }
        try daemon.run()
        let hasSucceeded = isComplete && synced.isSuperset(of: daemon.syncs.enabledNames)
        return hasSucceeded ? 0 : DaemonFailure.ExitCode.tryLater.rawValue
    }

    /// Starts all syncs. After a recovery, which has lost the jokes of all sources, nothing is synced.
    private func startAll() {
        synced = []
        if hasStarted { return }
        hasStarted = true
        let names = daemon.syncs.enabledNames
        if names.isEmpty { try? writeFully("no source is enabled\n", to: standardOutput) }
        for answer in daemon.syncs.start(names) where answer.state == .tooSoon { show(answer) }
    }

    /// Notes the end of a sync, and updates the line of its source.
    private func show(_ step: RefreshedSource) {
        let name = step.name
        // A sync that had to wait before the first answer of its server has not synced anything.
        if step.state == .succeeded, let report = step.report, !report.isPaused || report.seen > 0 {
            synced.insert(name)
        }
        let text =
            switch step.state {
            case .syncing: lines.update(name, to: "\(name): \(step.report?.inWords ?? "")")
            case .succeeded: lines.finish(name, with: sanitized("\(name): \(step.report?.inWords ?? "")"))
            default:
                lines.finish(name, with: sanitized("\(name): failed: \(step.failure ?? "too soon after the last try")"))
            }
        // The sync continues even if the reader of the output has closed the pipe.
        try? writeFully(text, to: standardOutput)
    }
}
