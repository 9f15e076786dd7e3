package import HTTP
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

    /// The jokes, or the first of them.
    package var jokes: [FetchedJoke]
    /// The jokes that follow, which are read when they are asked for; nil if there are none. Together with `jokes` they come
    /// from one answer: refused items, position and progress are those of all of it.
    package var rest: (any JokeSlices)?
    /// The permission to have a long answer in memory, to be released once all its jokes are stored.
    package var permission: LongBodyPermission?
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

extension SourceBatch {
    /// The maximum number of jokes of a slice. A short sync waits for up to three slices of a long one, of about 15 ms each.
    package static let maxSliceCount = 400
    /// The maximum number of bytes that a slice is read from, except for a single joke.
    static let maxSliceBytes = 1 << 20

    /// Removes the first slice of the jokes and returns it as a batch of its own; nil if all jokes left are one slice. The
    /// position of the slice is where the answer was requested: an interrupted sync requests it again.
    package mutating func takeSlice(at position: SourcePosition) -> SourceBatch? {
        var slice = SourceBatch(position: position, progress: progress == .draw ? .draw : .more)
        if jokes.count > Self.maxSliceCount {
            slice.jokes = Array(jokes.prefix(Self.maxSliceCount))
            jokes.removeFirst(Self.maxSliceCount)
        } else if let next = rest?.next() {
            slice.jokes = jokes
            jokes = next
        } else {
            // Frees the answer.
            rest = nil
            return nil
        }
        slice.beginsSweep = beginsSweep
        beginsSweep = false
        return slice
    }

    /// A batch with all jokes of the slices.
    init(
        _ slices: some JokeSlices, beginsSweep: Bool = false, refused: Int, position: SourcePosition,
        progress: Progress, permission: LongBodyPermission?
    ) {
        var slices = slices
        self.init(
            jokes: slices.next() ?? [], beginsSweep: beginsSweep, refused: refused, position: position,
            progress: progress)
        rest = slices
        self.permission = permission
    }
}

/// Reads the jokes of one answer in slices, so that a long answer is never in memory as jokes.
package protocol JokeSlices: Sendable {
    /// Reads the next slice, which may be empty. Returns nil after the last one.
    mutating func next() -> [FetchedJoke]?
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
