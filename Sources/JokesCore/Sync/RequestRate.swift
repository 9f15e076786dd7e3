/// The maximum number of requests in any period.
package struct RequestRate: Hashable, Sendable {
    /// At least 1.
    package var requests: Int
    package var per: Duration

    package init(requests: Int, per: Duration) {
        self.requests = requests
        self.per = per
    }
}
