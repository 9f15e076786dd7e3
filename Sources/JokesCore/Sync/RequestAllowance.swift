/// The remaining requests of a rate, which is never exceeded in any period.
///
/// It is a bucket with half of the requests, which fills evenly over the period, so the other half may be sent as it fills.
/// It is stored as the time when it is full (generic cell rate algorithm, ITU-T I.371).
struct RequestAllowance: Hashable, Sendable {
    let rate: RequestRate
    /// The time since boot when the bucket is full; in the past if it is.
    private(set) var wholeAt: Duration

    init(_ rate: RequestRate, wholeAt: Duration = .zero) {
        (self.rate, self.wholeAt) = (rate, wholeAt)
    }

    /// The size of the bucket.
    private var burst: Int { (max(rate.requests, 1) + 1) / 2 }

    /// The time for one more request, rounded up, because times are rounded to microseconds over a restart.
    private var step: Duration { rate.per / (max(rate.requests, 1) + 1 - burst) + .microseconds(2) }

    /// The time until an empty bucket is full.
    var refill: Duration { step * burst }

    /// The time since boot when the next request is allowed.
    var nextAt: Duration { wholeAt - step * (burst - 1) }

    /// Returns the number of requests that are allowed now.
    func left(at time: Duration) -> Int {
        let missing = max(wholeAt - time, .zero)
        return time < nextAt ? 0 : max(1, burst - Int((missing / step).rounded(.up)))
    }

    /// Returns the allowance for another rate, with the same number of used requests.
    func adapted(to rate: RequestRate, at time: Duration) -> RequestAllowance {
        RequestAllowance(rate, wholeAt: min(wholeAt, time + RequestAllowance(rate).refill))
    }

    mutating func take(at time: Duration) {
        wholeAt = max(wholeAt, time) + step
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
