import JokesSources

/// The draws of one sync. Decides when they end, and if they have failed.
struct Draws {
    /// Draws in a row without a new joke that end a sync: the rest would cost too many requests.
    private static let maxFruitless = 3
    private static let maxCount = 50
    /// If failed draws outnumber the others by this, the service is not asked again.
    private static let maxExcessFailures = 3

    private var succeeded = 0
    private var failed = 0
    private var fruitless = 0
    private var lastError: SourceError?

    var isEmpty: Bool {
        succeeded + failed == 0
    }

    var areOver: Bool {
        succeeded + failed == Self.maxCount || fruitless == Self.maxFruitless
            || failed - succeeded == Self.maxExcessFailures
    }

    /// The last error, if more draws failed than succeeded.
    var failure: SourceError? {
        failed > succeeded ? lastError : nil
    }

    mutating func countSuccess(broughtNew: Bool) {
        succeeded += 1
        fruitless = broughtNew ? 0 : fruitless + 1
    }

    mutating func count(_ error: SourceError) {
        failed += 1
        lastError = error
    }
}
