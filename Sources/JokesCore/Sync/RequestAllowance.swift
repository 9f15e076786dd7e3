/// The remaining requests of a rate, which is never exceeded in any period.
///
/// It is a bucket with half of the requests, which fills evenly over the period, so the other half may be sent as it fills.
/// It is stored as the time when it is full (generic cell rate algorithm, ITU-T I.371).
struct RequestAllowance: Hashable, Sendable {
    let rate: RequestRate
    /// The time since boot when the bucket is full; in the past if it is.
    private(set) var resetAt: Duration

    init(_ rate: RequestRate, resetAt: Duration = .zero) {
        (self.rate, self.resetAt) = (rate, resetAt)
    }

    /// The size of the bucket.
    private var burst: Int { (max(rate.requests, 1) + 1) / 2 }

    /// The time for one more request, rounded up, because times are rounded to microseconds over a restart.
    private var step: Duration { rate.per / (max(rate.requests, 1) + 1 - burst) + .microseconds(2) }

    /// The time until an empty bucket is full.
    var refill: Duration { step * burst }

    /// The time since boot when the next request is allowed.
    var nextAt: Duration { resetAt - step * (burst - 1) }

    /// Returns the number of requests that are allowed now.
    func left(at time: Duration) -> Int {
        let missing = max(resetAt - time, .zero)
        return time < nextAt ? 0 : max(1, burst - Int((missing / step).rounded(.up)))
    }

    /// Returns the allowance for another rate, with the same number of used requests.
    func adapted(to rate: RequestRate, at time: Duration) -> RequestAllowance {
        RequestAllowance(rate, resetAt: min(resetAt, time + RequestAllowance(rate).refill))
    }

    mutating func take(at time: Duration) {
        resetAt = max(resetAt, time) + step
    }
}

/// The maximum number of requests in any period.
package struct RequestRate: Hashable, Sendable {
    /// At least 1.
    package var requests: Int
    package var per: Duration

    package init(requests: Int, per: Duration) {
        (self.requests, self.per) = (requests, per)
    }
}
