/// What is left of a source's rate: never more requests go out than the rate allows, in any stretch of its time.
///
/// A bucket of half of the rate's requests, which fills again evenly over the rate's time, kept as the one moment when it
/// is full (the generic cell rate algorithm of ITU-T I.371). Half at once and half as the bucket fills make the whole
/// rate in the worst stretch of time, wherever that begins.
struct RequestAllowance: Hashable, Sendable {
    let rate: RequestRate
    /// Since boot; in the past where the bucket is full.
    private(set) var wholeAt: Duration

    init(_ rate: RequestRate, wholeAt: Duration = .zero) {
        self.rate = rate
        self.wholeAt = wholeAt
    }

    /// How many requests may go out at once when none went before.
    var burst: Int {
        (max(rate.requests, 1) + 1) / 2
    }

    /// One request more each time this has passed. A little too long instead of too short: over a restart the moments
    /// are cut to microseconds.
    var step: Duration {
        rate.per / (max(rate.requests, 1) + 1 - burst) + .microseconds(2)
    }

    /// How long an empty bucket takes to be full.
    var refill: Duration {
        step * burst
    }

    /// From when on a request may go out, since boot.
    var nextAt: Duration {
        wholeAt - step * (burst - 1)
    }

    /// How many requests may go out now.
    func left(at time: Duration) -> Int {
        if time < nextAt { return 0 }
        let missing = max(wholeAt - time, .zero)
        return max(1, burst - Int((missing / step).rounded(.up)))
    }

    /// The same allowance at another rate: what is missing from one bucket is missing from the other.
    func adapted(to rate: RequestRate, at time: Duration) -> RequestAllowance {
        var other = RequestAllowance(rate)
        other.wholeAt = min(wholeAt, time + other.refill)
        return other
    }

    /// Counts a request that goes out now.
    mutating func take(at time: Duration) {
        wholeAt = max(wholeAt, time) + step
    }
}
