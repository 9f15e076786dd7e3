import JokesProtocol

/// The pauses between attempts to reach the daemon. They double from 0.5 s to 30 s, and are up to a quarter shorter or
/// longer, so that clients do not all return at once.
package struct RetryPauses {
    private var failures = 0

    package init() {}

    /// Returns the pause before the next attempt. `random` is at least 0 and less than 1.
    ///
    /// If the daemon cannot start, the pause is the longest at once: systemd gives up a unit that starts too often.
    package mutating func next(after error: ClientError? = nil, random: Double) -> Duration {
        if case .refused(.cannotStart) = error { failures = max(failures, 6) }
        let seconds = min(30, 0.5 * Double(1 << min(failures, 10)))
        failures += 1
        return .milliseconds(Int64(seconds * 1000 * (0.75 + random / 2)))
    }

    /// Begins again with the shortest pause.
    package mutating func reset() {
        failures = 0
    }
}
