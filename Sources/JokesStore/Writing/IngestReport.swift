/// What a batch of fetched jokes is.
package enum Coverage: Hashable, Sendable {
    /// Some of what the source has: a page, a random draw. What is not in it says nothing.
    case some
    /// All that the source has: what is not in it is missing from now on.
    case whole
}

/// What a batch brought; each joke of it counts once among the first four.
package struct IngestReport: Hashable, Sendable {
    /// Jokes that nobody told yet.
    package var new = 0
    /// Known by their ids, and say something else now.
    package var changed = 0
    /// Known, and as they were.
    package var unchanged = 0
    /// Stored under new ids, but other tellings of jokes that are here; and those whose ids came up before in the batch.
    package var duplicates = 0
    /// Jokes of the source that a whole batch no longer has, and the one before had.
    package var missing = 0

    package init(new: Int = 0, changed: Int = 0, unchanged: Int = 0, duplicates: Int = 0, missing: Int = 0) {
        self.new = new
        self.changed = changed
        self.unchanged = unchanged
        self.duplicates = duplicates
        self.missing = missing
    }
}
