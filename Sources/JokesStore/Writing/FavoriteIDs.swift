import JokesCore
import SQLite

extension Connection {
    /// Whether the id means a joke of another text, cached or kept as a favorite.
    func means(_ id: JokeID, otherThan fingerprint: Fingerprint) throws -> Bool {
        try prepare(
            """
            SELECT 1 FROM favorites WHERE id = ?1 AND fingerprint <> ?2
            UNION ALL
            SELECT 1 FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.id = ?1 AND g.fingerprint <> ?2
            """
        ).first(id, fingerprint) { _ in true } ?? false
    }

    /// Returns an ID that follows from the text, for a favorite or a joke whose own ID belongs to another text.
    ///
    /// This is the shortest that means no other text, with 16 or more digits of the fingerprint. The fingerprints of two
    /// texts have at most their first digits in common, and no other code makes such IDs.
    func idOfText(_ source: String, _ fingerprint: Fingerprint) throws -> JokeID {
        let shortest = JokeID(source: source, fingerprint: fingerprint)
        let rest = fingerprint.hex.dropFirst(16)
        for digits in 0..<rest.count {
            let id = JokeID(rawValue: shortest.rawValue + rest.prefix(digits))
            if try !means(id, otherThan: fingerprint) { return id }
        }
        return JokeID(rawValue: shortest.rawValue + rest)
    }
}
