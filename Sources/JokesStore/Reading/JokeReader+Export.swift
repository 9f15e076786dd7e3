package import JokesCore
import SQLite

extension JokeReader {
    /// A page of what is hidden, in the order of the fingerprints. O(log n + page)
    ///
    /// - Parameters:
    ///   - fingerprint: The last of the page before.
    ///   - limit: At most so many.
    /// - Returns: The marks; fewer than the limit where these are the last.
    /// - Throws: `StoreError` where the store cannot be read.
    package func hidden(after fingerprint: Fingerprint? = nil, limit: Int) throws(StoreError) -> [HiddenMark] {
        try reading("list hidden jokes") {
            try connection.prepare(
                "SELECT fingerprint, hidden_at FROM hidden WHERE fingerprint > ? ORDER BY fingerprint LIMIT ?"
            ).map(fingerprint?.bytes ?? [], limit) { row in
                HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1))
            }
        }
    }
}
