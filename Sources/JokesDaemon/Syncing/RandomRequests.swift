import JokesSources

/// The requests for random jokes of one sync. Decides when they end, and if they have failed.
struct RandomRequests {
    /// Requests in a row without a new joke that end a sync: the rest would cost too many requests.
    private static let maxRepeated = 3
    private static let maxCount = 50
    /// If failed requests outnumber the others by this, no more are sent.
    private static let maxExcessFailures = 3

    private var succeeded = 0
    private var failed = 0
    private var repeated = 0
    private var lastError: SourceError?

    var isEmpty: Bool { succeeded + failed == 0 }

    var areOver: Bool {
        succeeded + failed == Self.maxCount || repeated == Self.maxRepeated
            || failed - succeeded == Self.maxExcessFailures
    }

    /// The last error, if more requests failed than succeeded.
    var failure: SourceError? { failed > succeeded ? lastError : nil }

    mutating func countSuccess(broughtNew: Bool) {
        succeeded += 1
        repeated = broughtNew ? 0 : repeated + 1
    }

    mutating func count(_ error: SourceError) {
        failed += 1
        lastError = error
    }
}
