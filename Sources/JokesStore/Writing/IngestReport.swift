/// The numbers of a batch. Each of its jokes counts once.
package struct IngestReport: Hashable, Sendable {
    /// Jokes with new texts.
    package var new = 0
    /// Jokes with known IDs and other contents.
    package var changed = 0
    /// Jokes with known IDs and the same contents.
    package var unchanged = 0
    /// Jokes with new IDs and known texts, and jokes whose IDs the batch or the full sync has had before.
    package var duplicates = 0
    /// Jokes that the full sync, which ends with the batch, has not returned. They are not in the batch.
    package var missing = 0
    /// Jokes that a full cache refuses: evicted ones and duplicates.
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
