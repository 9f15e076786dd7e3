import CommandLineTools
import JokesCore
import TextLayout
import Unix

/// A run of `jokesd --once`: syncs every enabled source once, prints one line per source, and exits.
@ServiceActor
final class SyncOnceRun {
    private let assembly: Assembly
    private let daemon: Daemon
    private var lines = LiveLines(on: liveArea(of: standardOutput))
    /// True if `startAll` could start every sync; nil before `startAll`.
    private var allStarted: Bool?

    init(_ options: DaemonOptions, _ assembly: Assembly) throws {
        self.assembly = assembly
        daemon = try Daemon(options, assembly, serves: false)
    }

    /// Runs the syncs, and returns the exit code: 0 if all succeeded, 75 if a source failed or a signal stopped the
    /// run.
    func run() throws -> Int32 {
        let loop = daemon.loop
        var isComplete = false
        // Every signal stops the run, also SIGHUP.
        assembly.signals.handler = { _ in loop.stop() }
        daemon.syncs.onStep = { [unowned self] name, step in show(name, step) }
        daemon.onIdle = { [unowned self] in
            if allStarted == nil { return startAll() }
            isComplete = true
            loop.stop()
        }
        daemon.begin()
        loop.run()
        if let failure = daemon.failure { throw failure }
        if isComplete, let notice = daemon.tidier.evictionNotice { try? writeFully("\(notice)\n", to: standardOutput) }
        let hasSucceeded = isComplete && allStarted == true && daemon.syncs.planner.failing.isEmpty
        return hasSucceeded ? 0 : DaemonFailure.ExitCode.tryLater.rawValue
    }

    private func startAll() {
        if !daemon.configuration.sources.contains(where: \.isEnabled) {
            try? writeFully("no source is enabled\n", to: standardOutput)
        }
        allStarted = daemon.syncs.startAll()
        // If no sync has started, the event `tidied` calls `onIdle`, which ends the program.
        daemon.handle(.tidyRequested)
    }

    /// Updates the line of a source.
    private func show(_ name: String, _ step: SyncStep) {
        let text =
            switch step {
            case .progress(let report, let elapsed):
                lines.update(name, to: "\(name): \(report.inWords), \(TimeInWords.seconds(elapsed))")
            case .ended(.succeeded(let report), let elapsed):
                lines.finish(name, with: sanitized("\(name): \(report.inWords), \(TimeInWords.seconds(elapsed))"))
            case .ended(.cancelled, _): lines.finish(name, with: "\(name): canceled")
            case .ended(.failed(let reason, _, _), _):
                lines.finish(name, with: sanitized("\(name): failed: \(reason)"))
            }
        // The sync continues even if the reader of the output has closed the pipe.
        try? writeFully(text, to: standardOutput)
    }
}
