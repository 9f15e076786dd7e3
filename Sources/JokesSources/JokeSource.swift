package import JokesCore

/// What one step of a sync brought.
package struct SourceBatch: Sendable {
    /// How the sync stands after a batch.
    package enum Progress: Hashable, Sendable {
        /// There is more to be had at once: ask again from the batch's position.
        case more
        /// It was a draw of what the upstream chose: another may bring something else, and is worth a request for as
        /// long as draws bring what is new.
        case draw
        /// A draw failed, but the next one may succeed.
        case failedDraw(SourceError)
        /// The sync is over, but the upstream has jokes that it did not give. What was not seen may still be there.
        case partial
        /// The sweep is over: since it began at the beginning, every joke of the upstream was seen.
        case complete
        /// The upstream has nothing that it has not given before.
        case unchanged
        /// An optional source is not there, which is no failure. The words are a sentence.
        case absent(String)
    }

    package var jokes: [FetchedJoke]
    /// Whether a sweep begins with this batch: once it is complete, what has not been seen since is missing.
    package var beginsSweep: Bool
    /// How many items of the answer were none that can be read.
    package var refused: Int
    /// To be stored with the jokes, in one transaction.
    package var position: SourcePosition
    package var progress: Progress

    package init(
        jokes: [FetchedJoke] = [], beginsSweep: Bool = false, refused: Int = 0, position: SourcePosition,
        progress: Progress
    ) {
        self.jokes = jokes
        self.beginsSweep = beginsSweep
        self.refused = refused
        self.position = position
        self.progress = progress
    }
}

/// Reads one source's wire shape. A value: all that it remembers is in the position it is given.
package protocol JokeSource: Sendable {
    /// Makes the next step of a sync, with at most one request, so that any rate allows it, or a bounded piece of a
    /// file.
    ///
    /// The position is that of the batch before, or the one that the store kept; the limit is what is left of the
    /// source's own for this sync, nil where it has none. Runs on the caller's actor, which is one that may be busy for
    /// as long as an answer takes to decode: on the concurrency runtime's own threads a monitor would wake every second
    /// from then on. Ends at once when its task is cancelled. Where it throws, the same step can be tried again.
    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch
}
