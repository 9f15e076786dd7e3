package import JokesCore

// What Status tells, as findings: of a daemon that does not know Diagnose, too.

extension StatusMethod.Reply {
    /// Whether changes can be stored, and what became of damage.
    package func findings(now: Timestamp) -> [Wire.Finding] {
        let storage =
            if let storageFailure {
                Wire.Finding(
                    .storage, .failed, "nothing can be stored: \(storageFailure)",
                    advice: storageHint ?? "The daemon's log says more: journalctl --user -u jokesd, or -u jokesd.")
            } else {
                Wire.Finding(
                    .storage, .ok,
                    "changes are stored; \(counted(stored, "joke")) and \(counted(favorites + favoritesLeftOut, "favorite")) are"
                )
            }
        return [storage]
            + recoveries.map { recovery in
                let time = TimeInWords.ago(Timestamp(microseconds: recovery.at), now: now)
                return Wire.Finding(
                    .recovery, .warning, "recovered from damage \(time): \(recovery.reason); \(recovery.inWords)",
                    advice:
                        "The damaged file is \(recovery.damagedFile): keep it or remove it. It is told until jokesctl status was looked at."
                )
            }
    }
}
