import JokesCore
import SQLite

extension Connection {
    /// Returns the number of stored jokes of all sources. O(sources)
    func storedJokes() throws -> Int { try number("SELECT ifnull(sum(jokes), 0) FROM sources") }

    /// Returns the number of favorites and hidden marks. O(favorites + hidden marks), from indexes.
    func userDataCount() throws -> Int {
        try number("SELECT (SELECT count(*) FROM favorites) + (SELECT count(*) FROM hidden)")
    }

    /// Returns true if jokes of a source were evicted, and the cache has room for them or for 1% of its limit. Returns false
    /// during a full sync, which must continue.
    func hasRoomAgain(for source: String, in limits: CacheLimits) throws -> Bool {
        let evicted =
            try prepare("SELECT evicted FROM sources WHERE name = ? AND is_in_full_sync = 0")
            .first(source) { row in try row.read(0, as: Int.self) } ?? 0
        if evicted == 0 { return false }
        let room = try limits.maxJokes + userDataCount() - storedJokes()
        return room >= min(evicted, max(1, limits.maxJokes / 100))
    }
}
