import SQLite
package import Unix

extension JokeStore {
    /// Makes a change in one visit of the store.
    ///
    /// `lockTimeout` counts from `asked`, because earlier changes may have waited for the same lock. At least one attempt
    /// is made.
    ///
    /// - Parameters:
    ///   - asked: The time of the request.
    ///   - body: Makes the changes.
    /// - Returns: The result of the body, and whether anything was written, which shows that changes can be stored.
    /// - Throws: The error of the body.
    package func change<Result>(
        asked: BootInstant, _ body: (isolated JokeStore) throws -> Result
    ) throws -> (result: Result, hasWritten: Bool) {
        patience = max(.zero, opening.lockTimeout - asked.duration(to: .now))
        defer { patience = nil }
        let (before, written) = (opened, opened?.committedChanges)
        let result = try body(self)
        return (result, opened !== before || opened?.committedChanges != written)
    }
}
