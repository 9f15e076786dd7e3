import JokesCore
import SQLite

extension Connection {
    /// Brings what is shown in line with the rules; does nothing where it was worked out by equal ones.
    ///
    /// Else O(n) for the filters, and O(log n) for each joke that changes sides, in one transaction: a filter holds for
    /// all jokes or for none (docs/architecture.md, limits).
    func adopt(_ rules: ShowingRules) throws {
        let signature = rules.signature
        guard try setting(.rules) != signature else { return }
        try write(.relaxed) {
            try order(rules.sourceOrder)
            let affected = try Set(groupsOfSeveral() + admit(by: rules))
            var showing = try Showing(self)
            for group in affected.sorted() {
                try showing.update(group)
                try showing.settleMany()
            }
            try admitFavorites(by: rules)
            try showing.settle()
            try set(.rules, to: signature)
        }
    }

    private func order(_ names: [String]) throws {
        try prepare("UPDATE sources SET place = ?").run(Schema.unconfiguredPlace)
        for (place, name) in names.enumerated() {
            let key = try sourceKey(name)
            try prepare("UPDATE sources SET place = ? WHERE key = ?").run(place, key)
        }
    }

    /// The groups that depend on the order of sources.
    private func groupsOfSeveral() throws -> [Int64] {
        try prepare("SELECT joke_group FROM jokes GROUP BY joke_group HAVING count(*) > 1").map { row in
            try row.read(0)
        }
    }

    /// Marks which jokes pass; returns the groups of those that did not before, or no longer do.
    private func admit(by rules: ShowingRules) throws -> [Int64] {
        let changed = try prepare(
            """
            SELECT j.key, j.joke_group, j.admitted, s.name, \(Schema.contentColumns)
            FROM jokes j JOIN sources s ON s.key = j.source
            """
        ).map { row -> (key: Int64, group: Int64, isAdmitted: Bool)? in
            let isAdmitted = rules.admits(try JokeContent(row: row, from: 4), from: try row.read(3))
            let wasAdmitted: Bool = try row.read(2)
            return isAdmitted == wasAdmitted ? nil : (try row.read(0), try row.read(1), isAdmitted)
        }.compactMap(\.self)
        for (key, _, isAdmitted) in changed {
            try prepare("UPDATE jokes SET admitted = ? WHERE key = ?").run(isAdmitted, key)
        }
        return changed.map(\.group)
    }

    /// Marks which favorites pass; none is lost.
    private func admitFavorites(by rules: ShowingRules) throws {
        // Of those that stay as they are no text is kept.
        let changed = try prepare("SELECT key, admitted, \(Favorite.columns) FROM favorites").map { row in
            let favorite = try Favorite(row: row, from: 2)
            let isAdmitted = rules.admits(favorite.content, from: String(favorite.id.source))
            let wasAdmitted: Bool = try row.read(1)
            return isAdmitted == wasAdmitted ? nil : (key: try row.read(0, as: Int64.self), isAdmitted: isAdmitted)
        }.compactMap(\.self)
        for (key, isAdmitted) in changed {
            try prepare("UPDATE favorites SET admitted = ? WHERE key = ?").run(isAdmitted, key)
        }
    }
}
