import CommandLineTools
import JokesCore
import TextLayout
import Unix

/// `jokesd --once`: asks every source once, prints a line for each as it ends, and ends.
actor SingleSync {
    private nonisolated let loop: EventLoop
    private let daemon: Daemon
    private var lines = LiveLines(on: liveArea(of: standardOutput))
    private var outcome: Result<Bool, any Error> = .success(false)

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// - Returns: the exit code: 0 where all went well, 75 where a source failed or a signal came first.
    static func run(_ assembly: Assembly) throws -> Int32 {
        let parts = assembly.parts
        let sync = try SingleSync(parts)
        assembly.signals.handle { _ in parts.serviceLoop.stop() }
        sync.assumeIsolated { $0.begin(parts.configuration) }
        parts.serviceLoop.run()
        return try sync.assumeIsolated { try $0.outcome.get() } ? 0 : DaemonFailure.tryLater
    }

    private init(_ parts: Parts) throws {
        loop = parts.serviceLoop
        daemon = try Daemon(of: parts, notifier: Notifier(address: nil))
    }

    private func begin(_ configuration: Configuration) {
        // Waiting for the syncs is no actor's, and so for the loop to do.
        Task(executorPreference: loop) { await self.run(configuration) }
    }

    private func run(_ configuration: Configuration) async {
        do {
            try await daemon.adopt(configuration)
            if !configuration.sources.contains(where: \.isEnabled) {
                try? writeFully("no source is enabled\n", to: standardOutput)
            }
            outcome = .success(
                await daemon.syncOnce { [weak self] name, step in
                    self?.assumeIsolated { $0.tell(name, step) }
                })
            if let notice = await daemon.evictionNotice { try? writeFully("\(notice)\n", to: standardOutput) }
        } catch {
            outcome = .failure(error)
        }
        loop.stop()
    }

    private func tell(_ name: String, _ step: SyncStep) {
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
        // Whoever read it may have gone; the sync goes on.
        try? writeFully(text, to: standardOutput)
    }
}
