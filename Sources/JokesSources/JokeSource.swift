package import HTTP
package import JokesCore

/// The result of one step of a sync.
package struct SourceBatch: Sendable {
    /// The state of the sync after a batch.
    package enum Progress: Hashable, Sendable {
        /// There is more: continue at the position of the batch.
        case more
        /// The jokes are random. Another request is useful as long as there are new ones.
        case random
        /// A random request has failed, but the next one may succeed.
        case randomFailed(SourceError)
        /// The sync is over, but the source may have other jokes.
        case partial
        /// The full sync is over, and has read every joke of the source.
        case complete
        /// The source has not changed.
        case unchanged
        /// An optional source is missing, which is not an error. The text is a sentence.
        case absent(String)
    }

    package var jokes: [FetchedJoke] = []
    /// True if a full sync begins with this batch. When it is complete, jokes that it did not read are missing.
    package var beginsFullSync = false
    /// True if a pass begins with this batch: its jokes are newer than those of all earlier answers. Otherwise, they are
    /// older than those of the previous answer.
    ///
    /// A pass also begins with each full sync, at a position without a cursor, and with each answer of random jokes.
    package var beginsPass = false
    /// The number of items that cannot be read.
    package var refused = 0
    /// The position to store in the transaction of the jokes.
    package var position: SourcePosition
    package var progress: Progress
    /// The permission to have a long answer in memory, to be released once its jokes are stored.
    package var permission: LongBodyPermission?
}

/// Reads one type of source. Its state is only in the position.
package protocol JokeSource: Sendable {
    /// Makes the next step of a sync from the last or the stored position: one request, or a limited piece of a file.
    ///
    /// The limit is the remaining number of jokes of this sync. It runs on the caller's actor, because the threads of the
    /// concurrency runtime would wake the process every second. It ends at once if its task is canceled. After an error,
    /// the same step can be repeated.
    func nextBatch(from position: SourcePosition, atMost limit: Int?) async throws(SourceError) -> SourceBatch
}
