import JokesCore
import JokesProtocol
import JokesStore
import Varlink

/// The diagnostics about the state of the daemon: pure functions of facts that `Daemon` collects.
extension Wire.Diagnostic {
    /// `facts` has the error if the database cannot be read.
    static func database(_ facts: Result<DatabaseFacts, StoreError>, _ outcome: CheckOutcome) -> Wire.Diagnostic {
        switch (facts, outcome) {
        case (.failure(let error), _), (_, .failed(let error)):
            Wire.Diagnostic(.database, .failed, error.reason, advice: error.hint)
        case (.success(let facts), .sound): Wire.Diagnostic(.database, .ok, "\(facts.path) is sound: \(facts.form)")
        case (.success(let facts), .unfinished):
            Wire.Diagnostic(.database, .ok, "\(facts.path) is readable, and was not completely checked: \(facts.form)")
        }
    }

    /// The reasons why jokes are missing from the cache.
    static func cache(_ counts: JokeCounts, _ limits: CacheLimits) -> [Wire.Diagnostic] {
        let stored = "\(counts.stored) of at most \(counted(limits.jokes + counts.userDataCount, "joke")) cached"
        let room =
            counts.evicted == 0
            ? Wire.Diagnostic(.cache, .ok, stored)
            : Wire.Diagnostic(
                .cache, .ok, "\(stored), \(counts.evicted) evicted",
                advice: "To keep more jokes, raise \"maxJokes\" in the configuration. Then run: jokesctl refresh")
        let removed = counts.sources.filter(\.value.isRemoved).sorted { $0.key < $1.key }
        return [room]
            + removed.map { name, count in
                Wire.Diagnostic(
                    .cache, of: name, .ok,
                    "\(counted(count.stored, "joke")) of '\(name)' not shown: the source is no longer configured",
                    advice: "Remove the jokes: jokesctl forget \(name)")
            }
    }

    static func clients(connections: Int, streams: Int, allowed: ServiceLimits) -> [Wire.Diagnostic] {
        let usual = ServiceLimits()
        let taken =
            "\(connections) of \(counted(allowed.connections, "connection")) and "
            + "\(streams) of \(counted(allowed.streams, "stream")) in use"
        // A status bar or a prompt in each window can soon take the last tenth.
        let isScarce = connections * 10 > allowed.connections * 9 || streams * 10 > allowed.streams * 9
        // An idle connection is closed if another client connects; a stream is not.
        let isFull = streams >= allowed.streams
        let advice = "Stop the clients that you do not need: ss -xp state connected | grep jokesd"
        let use = Wire.Diagnostic(
            .clients, isFull ? .failed : isScarce ? .warning : .ok, taken, advice: isScarce || isFull ? advice : nil)
        if allowed.connections >= usual.connections { return [use] }
        let few = "the file descriptor limit allows only \(counted(allowed.connections, "client")) at a time"
        let raise = "Raise LimitNOFILE= in the unit, or ulimit -n in the shell that starts jokesd, then restart jokesd."
        return [use, Wire.Diagnostic(.descriptors, .warning, "\(few), not \(usual.connections)", advice: raise)]
    }
}

extension DatabaseFacts {
    fileprivate var form: String { "\(bytesInWords(bytes + walBytes)), schema \(schemaVersion)" }
}

extension StatusMethod.Reply {
    var storageDiagnostic: Wire.Diagnostic {
        if let storageFailure {
            return Wire.Diagnostic(
                .storage, .failed, "cannot store changes: \(storageFailure)",
                advice: storageHint ?? "See the log: journalctl --user -u jokesd, or journalctl -u jokesd")
        }
        let favorites = counted(favorites + excludedFavorites, "favorite")
        return Wire.Diagnostic(.storage, .ok, "\(counted(stored, "joke")) and \(favorites) stored")
    }

    func recoveryDiagnostics(now: Timestamp) -> [Wire.Diagnostic] {
        recoveries.map { recovery in
            let time = TimeInWords.ago(Timestamp(microseconds: recovery.at), now: now)
            let next =
                recovery.damagedFile.isEmpty
                ? "Find out what removes or damages files of the state folder."
                : "Keep or remove the old file, \(recovery.damagedFile)."
            return Wire.Diagnostic(
                .recovery, .warning, "recovered \(time): \(recovery.reason); \(recovery.inWords)",
                advice: "\(next) To dismiss this warning: jokesctl status")
        }
    }
}

/// Judges the wall clock, which decides ages and the validity of certificates, but not schedules.
enum ClockCheck {
    /// The release of the oldest compiler that can build this. A correct clock shows a later time.
    private static let earliest = Timestamp(microseconds: 1_757_894_400_000_000)
    /// The maximum usual correction of a synchronized clock.
    private static let usualCorrection: Duration = .seconds(60)
    /// For errors of a server's clock, and the time of the transfer.
    private static let tolerance: Duration = .seconds(5 * 60)
    /// New certificates are often valid from an hour before.
    private static let harmful: Duration = .seconds(3600)

    /// Returns the diagnostic. `latestRecorded` is the latest time that any run of the daemon has recorded. `leadsOverServers`
    /// is how far the clock is ahead of the clocks of servers; negative if it is behind.
    static func diagnostic(now: Timestamp, latestRecorded: Timestamp?, leadsOverServers: [Duration]) -> Wire.Diagnostic
    {
        let command = "sudo timedatectl set-ntp true (needs a package such as systemd-timesyncd)"
        if now < earliest {
            return Wire.Diagnostic(
                .clock, .failed, "the clock is set to a date in the past, so HTTPS fails",
                advice: "Set the clock: \(command)")
        }
        // If one server agrees, the clocks of the others are wrong.
        if let lead = leadsOverServers.min(by: { $0.magnitude < $1.magnitude }), lead.magnitude > tolerance {
            let way = lead > .zero ? "ahead of" : "behind"
            return Wire.Diagnostic(
                .clock, lead.magnitude > harmful ? .failed : .warning,
                "the clock is \(TimeInWords.length(lead.magnitude)) \(way) every server's clock",
                advice: "Set the clock: \(command)")
        }
        if let latestRecorded, latestRecorded.timeSince(now) > usualCorrection {
            let behind = TimeInWords.length(latestRecorded.timeSince(now))
            return Wire.Diagnostic(
                .clock, .warning, "the clock was set back: jokesd has recorded a time \(behind) ahead of it",
                advice: "If the clock is wrong, set the clock: \(command)")
        }
        let agreeing = leadsOverServers.count { $0.magnitude <= tolerance }
        return Wire.Diagnostic(
            .clock, .ok,
            agreeing == 0
                ? "the clock is not behind any stored time"
                : "the clock agrees with the dates in the answers of \(counted(agreeing, "server"))")
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
