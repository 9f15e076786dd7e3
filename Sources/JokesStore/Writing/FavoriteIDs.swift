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

    /// An id for a favorite that cannot have its own: the one that follows from its text.
    ///
    /// Where a favorite of another text has that one, as it may after damage, it gets one of its own text. None gets
    /// the reserved one, which is about to become another joke's.
    func idOfText(
        _ source: String, _ fingerprint: Fingerprint, besides reserved: JokeID? = nil
    ) throws -> JokeID {
        let id = JokeID(source: source, fingerprint: fingerprint)
        let holder = try prepare("SELECT fingerprint FROM favorites WHERE id = ? AND fingerprint <> ?")
            .first(id, fingerprint) { row in try row.read(0, as: Fingerprint.self) }
        if let holder, JokeID(source: source, fingerprint: holder) != id {
            try prepare("UPDATE favorites SET id = ? WHERE fingerprint = ?")
                .run(try freeID(source, holder, besides: reserved), holder)
        }
        return try freeID(source, fingerprint, besides: reserved)
    }

    /// The first that is free of the ids that follow from a text: with ever more digits of its fingerprint. Two texts
    /// have equal ones in the beginning at most, and nobody else makes such ids.
    private func freeID(_ source: String, _ fingerprint: Fingerprint, besides reserved: JokeID?) throws -> JokeID {
        let shortest = JokeID(source: source, fingerprint: fingerprint)
        let rest = fingerprint.hex.dropFirst(16)
        for digits in 0..<rest.count {
            let id = JokeID(rawValue: shortest.rawValue + rest.prefix(digits))
            if try id != reserved && !means(id, otherThan: fingerprint) { return id }
        }
        return JokeID(rawValue: shortest.rawValue + rest)
    }
}
