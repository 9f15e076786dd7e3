import CommandLineTools
import JokesCore
import TextLayout
import Unix

/// `jokesd --once`: syncs every source once, prints a line for each as it ends, and ends.
@ServiceActor
final class SingleSync {
    private let assembly: Assembly
    private let daemon: Daemon
    private var lines = LiveLines(on: liveArea(of: standardOutput))
    private var allStarted: Bool?

    init(_ options: DaemonOptions, _ assembly: Assembly) throws {
        self.assembly = assembly
        daemon = try Daemon(options, assembly, serves: false)
    }

    /// Returns the exit code: 0 if all went well, 75 if a source failed or a signal came first.
    func run() throws -> Int32 {
        let loop = daemon.loop
        var isComplete = false
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
        return hasSucceeded ? 0 : DaemonFailure.Status.tryLater.rawValue
    }

    private func startAll() {
        if !daemon.configuration.sources.contains(where: \.isEnabled) {
            try? writeFully("no source is enabled\n", to: standardOutput)
        }
        allStarted = daemon.syncs.startAll()
        // If no sync was started, the end of this tidying ends the program.
        daemon.handle(.tidyRequested)
    }

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
        // The reader of the output may have gone; the sync goes on.
        try? writeFully(text, to: standardOutput)
    }
}
