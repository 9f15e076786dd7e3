/// The remaining requests of a rate, which is never exceeded in any period.
///
/// A bucket with half of the requests, which fills evenly over the period. It is stored as the time when it is full
/// (generic cell rate algorithm, ITU-T I.371). In any period, half of the requests may be sent at once, and half as the
/// bucket fills.
struct RequestAllowance: Hashable, Sendable {
    let rate: RequestRate
    /// The time since boot when the bucket is full; in the past if it is.
    private(set) var wholeAt: Duration

    init(_ rate: RequestRate, wholeAt: Duration = .zero) {
        self.rate = rate
        self.wholeAt = wholeAt
    }

    /// The size of the bucket.
    var burst: Int {
        (max(rate.requests, 1) + 1) / 2
    }

    /// The time for one more request, rounded up, because times are rounded to microseconds over a restart.
    var step: Duration {
        rate.per / (max(rate.requests, 1) + 1 - burst) + .microseconds(2)
    }

    /// The time until an empty bucket is full.
    var refill: Duration {
        step * burst
    }

    /// The time since boot when the next request is allowed.
    var nextAt: Duration {
        wholeAt - step * (burst - 1)
    }

    /// Returns the number of requests that are allowed now.
    func left(at time: Duration) -> Int {
        if time < nextAt { return 0 }
        let missing = max(wholeAt - time, .zero)
        return max(1, burst - Int((missing / step).rounded(.up)))
    }

    /// Returns the allowance for another rate, with the same number of used requests.
    func adapted(to rate: RequestRate, at time: Duration) -> RequestAllowance {
        var other = RequestAllowance(rate)
        other.wholeAt = min(wholeAt, time + other.refill)
        return other
    }

    /// Counts a request.
    mutating func take(at time: Duration) {
        wholeAt = max(wholeAt, time) + step
    }
}
