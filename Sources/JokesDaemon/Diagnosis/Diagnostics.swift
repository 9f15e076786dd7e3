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

    /// The usual maximum size of the WAL: SQLite's default, in pages of 4 KiB.
    private static let usualLogBytes = 1000 * 4096

    /// The number of SQLite's files with those of a recovery.
    private static let filesNeeded = 8

    /// Returns the diagnostic of the disk of the state folder. A free number is nil if it is unknown;
    /// `reasonAgainstWriting` is the text of the kernel's error.
    static func disk(
        of folder: String, freeBytes: Int?, freeFiles: Int?, databaseBytes: Int, walBytes: Int,
        reasonAgainstWriting: String?
    ) -> Diagnostic {
        if let reasonAgainstWriting {
            return Diagnostic(
                .space, .failed, "cannot write to \(folder): \(reasonAgainstWriting)",
                advice: "Make the folder and its files writable for jokesd; jokesd then stores changes again.")
        }
        guard let freeBytes else {
            return Diagnostic(.space, .warning, "cannot read the free disk space of \(folder)")
        }
        if let freeFiles, freeFiles < filesNeeded {
            return Diagnostic(
                .space, freeFiles == 0 ? .failed : .warning,
                "the disk of \(folder) has room for only \(counted(freeFiles, "more file"))",
                advice: "Remove files from the disk: a recovery needs room for \(filesNeeded).")
        }
        let free = "\(bytesInWords(freeBytes)) free on the disk of \(folder)"
        // The WAL must be able to grow to its usual size; otherwise changes may be refused.
        if freeBytes < max(1, usualLogBytes - walBytes) {
            return Diagnostic(
                .space, .failed, free,
                advice: "Free some disk space: a change may need \(bytesInWords(usualLogBytes)).")
        }
        // A changed filter writes the whole database to the WAL, and a recovery writes a new database.
        let comfortableBytes = databaseBytes + 2 * usualLogBytes
        if freeBytes < comfortableBytes {
            return Diagnostic(
                .space, .warning, free,
                advice: "Free some disk space: a new filter or a recovery needs \(bytesInWords(comfortableBytes)).")
        }
        return Diagnostic(.space, .ok, free)
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

/// Returns a size in words: `512 bytes`, `4.2 MB`. Units are powers of 1,000, as in the configuration.
func bytesInWords(_ bytes: Int) -> String {
    let units: [(name: String, factor: Int)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
    ]
    guard let unit = units.first(where: { bytes >= $0.factor }) else { return "\(bytes) bytes" }
    let tenths = bytes / (unit.factor / 10)
    return tenths >= 100 ? "\(tenths / 10) \(unit.name)" : "\(tenths / 10).\(tenths % 10) \(unit.name)"
}
