import JokesSources

/// The counts of the random requests of one sync. The counts determine when the sync ends, and if the sync has failed.
struct RandomRequests {
    /// The number of consecutive requests without a new joke that ends a sync: most jokes are stored by then.
    private static let maxWithoutNewJoke = 3
    /// The maximum number of requests of one sync.
    private static let maxCount = 50
    /// The number by which failed requests must exceed successful requests to end a sync.
    private static let maxExcessFailures = 3

    private var succeeded = 0
    private var failed = 0
    /// The number of consecutive successful requests without a new joke.
    private var withoutNewJoke = 0
    private var lastError: SourceError?

    /// True if no request was counted.
    var isEmpty: Bool { succeeded + failed == 0 }

    /// True if the sync must send no more requests.
    var areOver: Bool {
        succeeded + failed == Self.maxCount || withoutNewJoke == Self.maxWithoutNewJoke
            || failed - succeeded == Self.maxExcessFailures
    }

    /// The last error if more requests failed than succeeded; otherwise nil.
    var failure: SourceError? { failed > succeeded ? lastError : nil }

    /// Counts a request, if it was a random one. `foundNew` is true if the source has not returned one of the jokes before.
    mutating func count(_ progress: SourceBatch.Progress, foundNew: Bool) {
        switch progress {
        case .random:
            succeeded += 1
            withoutNewJoke = foundNew ? 0 : withoutNewJoke + 1
        case .randomFailed(let error):
            failed += 1
            lastError = error
        case .more, .partial, .complete, .unchanged, .absent: break
        }
    }
}
