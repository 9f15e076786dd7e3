package import JokesCore

// What Status tells, as findings: of a daemon that does not know Diagnose, too.

extension StatusMethod.Reply {
    /// Whether changes can be stored, and what became of damage.
    package func findings(now: Timestamp) -> [Wire.Finding] {
        let storage =
            if let storageFailure {
                Wire.Finding(
                    .storage, .failed, "cannot store changes: \(storageFailure)",
                    advice: storageHint ?? "See the log: journalctl --user -u jokesd, or journalctl -u jokesd")
            } else {
                Wire.Finding(
                    .storage, .ok,
                    "\(counted(stored, "joke")) and \(counted(favorites + favoritesLeftOut, "favorite")) stored"
                )
            }
        return [storage]
            + recoveries.map { recovery in
                let time = TimeInWords.ago(Timestamp(microseconds: recovery.at), now: now)
                let next =
                    recovery.isOfDamage
                    ? "Keep or remove the damaged file, \(recovery.damagedFile)."
                    : "Find out what removes files of the state folder while jokesd runs."
                let damage = recovery.isOfDamage ? " from damage" : ""
                return Wire.Finding(
                    .recovery, .warning, "recovered\(damage) \(time): \(recovery.reason); \(recovery.inWords)",
                    advice: "\(next) To dismiss this warning: jokesctl status")
            }
    }
}
