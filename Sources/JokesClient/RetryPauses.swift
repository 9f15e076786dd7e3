import JokesProtocol

/// The pauses between attempts to reach the daemon: each twice the one before, from half a second to half a minute.
///
/// Each is up to a quarter shorter or longer, so that those who lost the daemon together do not come back together.
package struct RetryPauses {
    private var failures = 0

    package init() {}

    /// The pause before the next attempt. `random` is from 0 up to 1.
    package mutating func next(random: Double) -> Duration {
        let seconds = min(30, 0.5 * Double(1 << min(failures, 10)))
        failures += 1
        return .milliseconds(Int64(seconds * 1000 * (0.75 + random / 2)))
    }

    /// The pause before the next attempt, after one that failed so.
    ///
    /// Where each attempt starts a daemon that cannot serve it is the longest from the first on: a service manager gives up
    /// what it has to start too often, its socket too.
    package mutating func next(after error: ClientError, random: Double) -> Duration {
        if case .refused(.cannotStart) = error { failures = max(failures, Self.failuresToLongest) }
        return next(random: random)
    }

    private static let failuresToLongest = 6

    /// The daemon was there.
    package mutating func reset() {
        failures = 0
    }
}
