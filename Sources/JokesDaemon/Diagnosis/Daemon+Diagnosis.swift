import Glibc
import JSON5
import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The method `Diagnose`: collects facts, and passes them to pure functions that return diagnostics.
extension Daemon {
    /// Replies with the diagnostics, after a check of the whole database.
    func diagnose(_ call: Call<DiagnoseMethod>) {
        // Without the executor preference, this nonisolated closure would run on the runtime's global pool, whose idle
        // threads would wake the process every second.
        Task(executorPreference: loop) {
            call.reply(DiagnoseMethod.Reply(diagnostics: await self.diagnostics().map(\.sanitized)))
        }
    }

    private func diagnostics() async -> [Diagnostic] {
        // Tests whether a change can be stored, and notices removed files.
        await writer.tryToWrite { try $0.tryWriting() }
        // A recovery may clear this failure during the check.
        let storage = status.storageDiagnostic
        let facts = Result { () throws(StoreError) in try reader.facts() }
        let latestRecorded = latestRecorded
        let outcome = await checker.check()
        // No await follows, so the facts below are consistent. The facts above may be older.
        let now = Timestamp.now
        var diagnostics = [
            programDiagnostic(at: now), configurationDiagnostic(at: now), .database(facts, outcome),
            storage,
        ]
        diagnostics += status.recoveryDiagnostics(now: now)
        diagnostics.append(diskDiagnostic(try? facts.get()))
        diagnostics += Diagnostic.cache(views.counts, views.cacheLimits)
        diagnostics.append(.clock(now: now, latestRecorded: latestRecorded))
        if let server {
            diagnostics += Diagnostic.clients(
                connections: server.connectionCount, streams: server.streamCount, allowed: server.limits)
        }
        return diagnostics
            + sources.sources.filter { $0.unconfiguredType == nil }.diagnostics(
                isOffline: syncs.planner.isOffline,
                ofFiles: Set(configuration.sources.filter { !$0.usesNetwork }.map(\.name)), reload: reloadCommand,
                now: now)
    }

    private func programDiagnostic(at now: Timestamp) -> Diagnostic {
        let started = TimeInWords.ago(startedAt, now: now)
        let description = "jokesd \(jokesdVersion), process \(getpid()), started \(started)"
        // The kernel adds " (deleted)" to the path of a replaced or removed program, for example after an upgrade.
        guard ownProgram()?.hasSuffix(" (deleted)") == true else { return Diagnostic(.program, .ok, description) }
        let restart = command("restart") ?? "end process \(getpid()), then start jokesd"
        return Diagnostic(
            .program, .warning, "\(description); its program file was replaced or removed",
            advice: "Start the installed version: \(restart)")
    }

    /// Returns the diagnostic of the configuration, with the error of the last reload.
    ///
    /// Compares the configuration in use with the configuration that a reload would read. An invalid file is reported
    /// before a reload, because the next start would fail.
    private func configurationDiagnostic(at now: Timestamp) -> Diagnostic {
        let age = TimeInWords.ago(configurationStatus.loadedAt, now: now)
        let read = "\(configurationStatus.origin), read \(age)"
        do throws(ConfigurationError) {
            let (found, origin) = try Configuration.load(
                option: options.configurationPath, environment: environmentVariables())
            // The error of the last reload no longer applies: the file was restored, or the error was of the store.
            if found == configuration && origin == configurationStatus.origin {
                return Diagnostic(.configuration, .ok, read)
            }
            let reloadError = configurationStatus.reloadError.map { "; last reload failed: \(phrase($0))" } ?? ""
            return Diagnostic(
                .configuration, .warning,
                "the configuration has changed since jokesd read it; in use: \(read)\(reloadError)",
                advice: "Reload it: \(reloadCommand)")
        } catch {
            return Diagnostic(
                .configuration, .failed,
                "\(phrase(firstLine(of: error.description))); jokesd still uses the configuration that it read \(age)",
                advice: "Fix the file, check it with jokesd --check-config\(configOption), then run: \(reloadCommand)")
        }
    }

    /// A space and the option `--config` of this daemon, for a command in an advice; empty without this option.
    private var configOption: String { options.configurationPath.map { " --config \(shellWord($0))" } ?? "" }

    private var reloadCommand: String { command("reload") ?? "kill -HUP \(getpid())" }

    /// Returns the systemctl command with this verb for the unit of this daemon; nil if the daemon does not run in a
    /// unit.
    private func command(_ verb: String) -> String? { OwnUnit.ofThisProcess(prefix: "jokesd")?.command(verb) }

    private func diskDiagnostic(_ database: DatabaseFacts?) -> Diagnostic {
        let folder = parentFolder(of: writer.store.path)
        let space = try? FileSystemSpace(of: folder)
        return .disk(
            of: folder, freeBytes: space?.freeBytes, freeFiles: space?.freeFiles,
            databaseBytes: database?.bytes ?? 0, walBytes: database?.walBytes ?? 0,
            reasonAgainstWriting: reasonAgainstWriting(to: folder))
    }

    /// The latest time that any run of the daemon has recorded.
    private var latestRecorded: Timestamp? {
        let states = syncs.planner.order.compactMap(syncs.planner.state(of:))
        let favorite = try? reader.favorites(after: nil, limit: 1).rows.first?.favoritedAt
        let times = states.flatMap { [$0.lastAttempt, $0.lastSuccess] } + [startedAt, favorite]
        return times.compactMap(\.self).max()
    }
}

extension Diagnostic {
    /// The diagnostic without control characters, which a path may have.
    fileprivate var sanitized: Diagnostic {
        var copy = self
        copy.message = cleanText(message)
        copy.advice = advice.map(cleanText)
        return copy
    }
}

/// Checks the whole database for damage, one check at a time.
@ServiceActor
final class DatabaseChecker {
    /// The maximum time of a check.
    private static let maxTime: Duration = .seconds(6)

    private let store: JokeStore
    private var running: Task<Result<Bool, StoreError>, Never>?

    init(_ store: JokeStore) { self.store = store }

    /// Returns the result of a check: true if it was complete, false if it did not start or did not end in time, and an error if
    /// the database is damaged or cannot be read. Calls during a check share its result.
    func check() async -> Result<Bool, StoreError> {
        if let running { return await running.value }
        // The check has its own thread, so it delays neither readers nor writers.
        guard let check = DatabaseCheck(of: store), let thread = try? EventLoop(),
            (try? thread.start(name: "jokesd-check")) != nil
        else { return .success(false) }
        let end = BootInstant.now.advanced(by: Self.maxTime)
        let task = Task.detached(executorPreference: thread) { [store] () -> Result<Bool, StoreError> in
            defer { thread.stop() }
            do throws(StoreError) {
                return .success(try check.run(while: { .now < end }))
            } catch {
                if let damage = check.damage(error) { await store.report(damage) }
                return .failure(error)
            }
        }
        running = task
        let outcome = await task.value
        running = nil
        return outcome
    }
}
