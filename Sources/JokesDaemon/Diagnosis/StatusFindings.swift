import JokesCore
import JokesProtocol

extension StatusMethod.Reply {
    /// The findings about storage and recoveries.
    func findings(now: Timestamp) -> [Wire.Finding] {
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
                    recovery.damagedFile.isEmpty
                    ? "Find out what removes or damages files of the state folder."
                    : "Keep or remove the old file, \(recovery.damagedFile)."
                return Wire.Finding(
                    .recovery, .warning, "recovered \(time): \(recovery.reason); \(recovery.inWords)",
                    advice: "\(next) To dismiss this warning: jokesctl status")
            }
    }
}
