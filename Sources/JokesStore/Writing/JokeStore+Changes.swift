import SQLite
package import Unix

extension JokeStore {
    /// Makes a change in one visit of the store.
    ///
    /// The change waits for a lock that another process holds as long as `lockTimeout` says, counted from `asked`: what
    /// it has waited for its turn behind others, which may have waited for the same lock, is waited already. It tries
    /// once in any case.
    ///
    /// - Parameters:
    ///   - asked: When somebody asked for it.
    ///   - body: Calls that change something.
    /// - Returns: What the body does, and whether anything was written: nothing else shows that changes can be stored.
    /// - Throws: What the body throws.
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
