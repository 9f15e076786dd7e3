import JokesCore
import JokesProtocol
import JokesStore
import Varlink

/// The diagnostics about the state of the daemon: pure functions of the facts that `Daemon+Diagnosis.swift` collects.
extension Diagnostic {
    /// Returns the diagnostic of the database. `facts` is an error if the database cannot be read. `outcome` is
    /// that of `DatabaseChecker`.
    static func database(
        _ facts: Result<DatabaseFacts, StoreError>, _ outcome: Result<Bool, StoreError>
    ) -> Diagnostic {
        switch (facts, outcome) {
        case (.failure(let error), _), (_, .failure(let error)):
            Diagnostic(.database, .failed, error.reason, advice: error.hint)
        case (.success(let facts), .success(true)):
            Diagnostic(.database, .ok, "\(facts.path) is sound: \(facts.sizeAndSchema)")
        case (.success(let facts), .success(false)):
            Diagnostic(
                .database, .ok,
                "\(facts.path) is readable, and was not completely checked: \(facts.sizeAndSchema)")
        }
    }

    /// Returns diagnostics of the cache: its size, and the jokes of removed sources.
    static func cache(_ counts: CacheCounts, _ limits: CacheLimits) -> [Diagnostic] {
        let stored = "\(counts.stored) of at most \(counted(limits.maxJokes + counts.userDataCount, "joke")) cached"
        let sizeDiagnostic =
            counts.evicted == 0
            ? Diagnostic(.cache, .ok, stored)
            : Diagnostic(
                .cache, .ok, "\(stored), \(counts.evicted) evicted",
                advice: "To keep more jokes, raise \"maxJokes\" in the configuration. Then run: jokesctl refresh")
        return [sizeDiagnostic]
            + counts.removed.sorted().map { name in
                Diagnostic(
                    .cache, of: name, .ok,
                    "\(counted(counts.sources[name]?.cached ?? 0, "joke")) of '\(name)' not shown: the source is no longer configured",
                    advice: "Remove the jokes: jokesctl forget \(name)")
            }
    }

    /// Returns diagnostics of the clients: the used connections, and a low limit of file descriptors.
    static func clients(connections: Int, streams: Int, allowed: ServiceLimits) -> [Diagnostic] {
        let defaults = ServiceLimits()
        let used =
            "\(connections) of \(counted(allowed.connections, "connection")) and "
            + "\(streams) of \(counted(allowed.streams, "stream")) in use"
        let usage = Diagnostic(.clients, .ok, used)
        if allowed.connections >= defaults.connections { return [usage] }
        let lowLimit = "the file descriptor limit allows only \(counted(allowed.connections, "client")) at a time"
        let limitAdvice =
            "Raise LimitNOFILE= in the unit, or ulimit -n in the shell that starts jokesd, then restart jokesd."
        return [
            usage,
            Diagnostic(
                .descriptors, .warning, "\(lowLimit), not \(defaults.connections)", advice: limitAdvice),
        ]
    }

    /// The release time of the oldest compiler that can build jokesd. A correct clock shows a later time.
    private static let earliestTime = Timestamp(microseconds: 1_757_894_400_000_000)
    /// The maximum normal correction of a synchronized clock.
    private static let maxNormalCorrection: Duration = .seconds(60)

    /// Returns the diagnostic of the wall clock, which determines ages and the validity of certificates, but not schedules.
    ///
    /// `latestRecorded` is the latest time that any run of the daemon has recorded.
    static func clock(now: Timestamp, latestRecorded: Timestamp?) -> Diagnostic {
        let command = "sudo timedatectl set-ntp true (needs a package such as systemd-timesyncd)"
        if now < earliestTime {
            return Diagnostic(
                .clock, .failed, "the clock is set to a date in the past, so HTTPS fails",
                advice: "Set the clock: \(command)")
        }
        if let latestRecorded, latestRecorded.timeSince(now) > maxNormalCorrection {
            let difference = TimeInWords.length(latestRecorded.timeSince(now))
            return Diagnostic(
                .clock, .warning, "the clock was set back: jokesd has recorded a time \(difference) ahead of it",
                advice: "If the clock is wrong, set the clock: \(command)")
        }
        return Diagnostic(.clock, .ok, "the clock is not behind any stored time")
    }
}

extension DatabaseFacts {
    fileprivate var sizeAndSchema: String { "\(bytesInWords(bytes + walBytes)), schema \(schemaVersion)" }
}

extension StatusMethod.Reply {
    var storageDiagnostic: Diagnostic {
        if let storageFailure {
            return Diagnostic(
                .storage, .failed, "cannot store changes: \(storageFailure)",
                advice: storageHint)
        }
        let favorites = counted(favorites + excludedFavorites, "favorite")
        return Diagnostic(.storage, .ok, "\(counted(jokes.cached, "joke")) and \(favorites) stored")
    }

    func recoveryDiagnostics(now: Timestamp) -> [Diagnostic] {
        recoveries.map { recovery in
            let time = TimeInWords.ago(recovery.at, now: now)
            let next =
                recovery.damagedFile.isEmpty
                ? "Find out what removes or damages files of the state folder."
                : "Keep or remove the old file, \(recovery.damagedFile)."
            return Diagnostic(
                .recovery, .warning, "recovered \(time): \(recovery.reason); \(recovery.inWords)",
                advice: "\(next) To dismiss this warning: jokesctl status")
        }
    }
}
