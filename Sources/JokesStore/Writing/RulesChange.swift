import JokesCore
import SQLite

extension Connection {
    /// Applies the rules to all jokes and favorites. Does nothing if equal rules were applied last.
    ///
    /// O(n), and O(log n) for each joke that is now shown or no longer shown. One transaction, so that the rules hold
    /// for all jokes or for none (docs/architecture.md, Known costs).
    func adopt(_ rules: DisplayRules) throws {
        let signature = rules.signature
        // In a transaction, because a failed transaction whose rollback also failed may still be open.
        guard try read({ try setting(.rules) }) != signature else { return }
        try write {
            try setSourceOrder(rules.sourceOrder)
            var shownJokes = try ShownJokes(self, rules)
            // The order of the sources decides which duplicate a group shows.
            let groupsWithDuplicates = try prepare(
                "SELECT joke_group FROM jokes GROUP BY joke_group HAVING count(*) > 1"
            ).map { row in try row.read(0, as: Int64.self) }
            let changedGroups = try applyToJokes(rules, &shownJokes)
            for group in Set(groupsWithDuplicates + changedGroups).sorted() {
                try shownJokes.update(group)
                try shownJokes.flushIfLarge()
            }
            let favorites = try prepare("SELECT fingerprint FROM favorites")
                .map { row in try row.read(0, as: Fingerprint.self) }
            for favorite in favorites { try updateFavorite(favorite, by: rules) }
            try shownJokes.flush()
            try set(.rules, to: signature)
        }
    }

    /// Stores the order of the configured sources. A source that was configured before gets `removedOrderIndex`.
    private func setSourceOrder(_ names: [String]) throws {
        try prepare("UPDATE sources SET order_index = ?1 WHERE order_index <> ?2")
            .run(Schema.removedOrderIndex, Schema.unconfiguredOrderIndex)
        for (index, name) in names.enumerated() {
            try prepare("UPDATE sources SET order_index = ? WHERE key = ?").run(index, try sourceKey(name))
        }
    }

    /// Applies the defaults of the sources to their jokes, and updates `admitted`.
    ///
    /// A group that showed a changed joke shows no joke after the call.
    ///
    /// - Returns: The groups of the changed jokes.
    private func applyToJokes(_ rules: DisplayRules, _ shownJokes: inout ShownJokes) throws -> [Int64] {
        typealias Change = (key: Int64, language: String, safety: Safety, isAdmitted: Bool, group: Int64, isShown: Bool)
        let changed = try prepare(
            """
            SELECT j.key, g.key, g.shown IS j.key, j.admitted, s.order_index = \(Schema.removedOrderIndex), s.name,
                j.stated_language, j.stated_safety, g.flags, g.is_unsafe, \(Schema.contentColumns.prefixed("j"))
            FROM jokes j JOIN groups g ON g.key = j.joke_group JOIN sources s ON s.key = j.source
            """
        ).map { row -> Change? in
            let (isSourceRemoved, source): (Bool, String) = try (row.read(4), row.read(5))
            let old = try JokeContent(row: row, from: 10)
            var content = old
            (content.language, content.safety) = try (row.read(6), row.read(7))
            content = rules.completed(content, from: source)
            let rating = try GroupRating(row: row, from: 8)
            let isAdmitted = !isSourceRemoved && rules.admits(rating.applied(to: content), from: source)
            // Returns nil for an unchanged joke, so that its text is not kept in memory.
            let wasAdmitted: Bool = try row.read(3)
            if content == old && isAdmitted == wasAdmitted { return nil }
            return try (
                key: row.read(0), language: content.language, safety: content.safety, isAdmitted: isAdmitted,
                group: row.read(1), isShown: row.read(2)
            )
        }.compactMap(\.self)
        for change in changed {
            if change.isShown { try shownJokes.clearShownJoke(of: change.group) }
            try shownJokes.flushIfLarge()
            try prepare("UPDATE jokes SET language = ?, safety = ?, admitted = ? WHERE key = ?")
                .run(change.language, change.safety, change.isAdmitted, change.key)
        }
        return changed.map(\.group)
    }
}
