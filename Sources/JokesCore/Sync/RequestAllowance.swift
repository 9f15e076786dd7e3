/// The remaining requests of one or more rates, none of which is exceeded in any period.
///
/// It is a bucket with half of the requests, which fills evenly over the period, so the other half may be sent as it fills.
/// It is stored as the time when it is full (generic cell rate algorithm, ITU-T I.371).
struct RequestAllowance: Hashable, Sendable {
    /// The size of the bucket.
    private var burst: Int
    /// The time for one more request, rounded up, because times are rounded to microseconds over a restart.
    private var step: Duration
    /// The time since boot when the bucket is full; in the past if it is.
    private(set) var resetAt: Duration = .zero

    init(_ rate: RequestRate) {
        let requests = max(rate.requests, 1)
        burst = (requests + 1) / 2
        step = rate.per / (requests + 1 - burst) + .microseconds(2)
    }

    /// Returns a full allowance that also keeps another rate: the smaller bucket, and the longer time for a request.
    func keeping(_ rate: RequestRate) -> RequestAllowance {
        let other = RequestAllowance(rate)
        var both = self
        (both.burst, both.step) = (min(burst, other.burst), max(step, other.step))
        return both
    }

    /// The time since boot when the next request is allowed.
    var nextAt: Duration { resetAt - step * (burst - 1) }

    /// Returns the number of requests that are allowed now.
    func left(at time: Duration) -> Int {
        let missing = max(resetAt - time, .zero)
        return time < nextAt ? 0 : max(1, burst - Int((missing / step).rounded(.up)))
    }

    /// Counts requests that were sent before: the bucket is not full before `full`. At most, it is empty.
    mutating func use(until full: Duration, at time: Duration) {
        resetAt = max(resetAt, min(full, time + step * burst))
    }

    mutating func take(at time: Duration) { resetAt = max(resetAt, time) + step }
}

/// The maximum number of requests in any period. Also `type RequestRate` of the interface.
package struct RequestRate: Codable, Hashable, Sendable {
    /// At least 1.
    package let requests: Int
    private let perMs: Int64
    /// The length of a period, in whole milliseconds.
    package var per: Duration { .milliseconds(perMs) }

    package init(requests: Int, per: Duration) {
        (self.requests, perMs) = (requests, per.wholeMicroseconds / 1000)
    }
}
