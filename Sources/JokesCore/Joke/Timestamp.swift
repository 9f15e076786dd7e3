/// A moment by the wall clock, for people and for the store: microseconds since 1970, UTC.
///
/// Schedules do not run on it; see `SyncPlanner`.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.microseconds < b.microseconds
    }

    /// The moment that much later, at the ends of the range where it would pass them.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(duration.wholeMicroseconds)
        return Timestamp(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from an earlier moment to this one; negative where that one is later.
    package func timeSince(_ other: Timestamp) -> Duration {
        .microseconds(microseconds) - .microseconds(other.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, toward zero, at the ends of the range where it would pass them.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, passed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return passed ? (seconds < 0 ? .min : .max) : sum
    }
}
