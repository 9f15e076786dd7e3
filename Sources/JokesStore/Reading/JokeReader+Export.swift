package import JokesCore
import SQLite

extension JokeReader {
    /// Returns a page of the hidden marks after a fingerprint, in order; fewer than the limit on the last page.
    ///
    /// O(log n + page)
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
