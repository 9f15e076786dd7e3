/// What a batch brought; each joke of it counts once, but not among the missing.
package struct IngestReport: Hashable, Sendable {
    /// Jokes that nobody told yet.
    package var new = 0
    /// Known by their ids, and say something else now.
    package var changed = 0
    /// Known, and as they were.
    package var unchanged = 0
    /// Stored under new ids, but other tellings of jokes that are here; those whose ids came up before in the batch; and
    /// those that came up before in the sweep, written otherwise, under ids that follow from their texts.
    package var duplicates = 0
    /// Jokes of the source that the sweep which the batch completes has not seen, and the one before had.
    package var missing = 0
    /// Jokes that a full cache does not take: those that it let go of before, and other tellings of what it has.
    package var letGo = 0
    /// Whether a favorite has come to pass or to fail the filters, because of a duplicate of it.
    package var hasChangedFavorites = false

    package init(
        new: Int = 0, changed: Int = 0, unchanged: Int = 0, duplicates: Int = 0, missing: Int = 0, letGo: Int = 0
    ) {
        self.new = new
        self.changed = changed
        self.unchanged = unchanged
        self.duplicates = duplicates
        self.missing = missing
        self.letGo = letGo
    }
}
