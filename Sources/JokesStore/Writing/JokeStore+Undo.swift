package import JokesCore
import JokesExchange
import SQLite

extension JokeStore {
    /// Takes back the last change of favorites, notes and hidden marks that was not taken back yet: an import, or the marks
    /// of one call. Imported jokes stay cached. The change is on disk when this method returns.
    ///
    /// The journal has all changes since it was last rewritten. O(journal)
    ///
    /// - Returns: A report without a time if the journal has no change to take back.
    package func undo(at now: Timestamp) throws(StoreError) -> UndoReport {
        try withOpenDatabase(to: "undo the last change") {
            guard let contents = try journal.map({ JournalContents(try $0.bytes()) }), let range = contents.lastChange
            else { return UndoReport() }
            let before = UserData(contents.entries[..<range.lowerBound])
            let change = contents.entries[range].map(\.record)
            let fingerprints = Set(change.map(\.change.fingerprint))
            let favorites = before.favorites.map { (fingerprint: Fingerprint(of: $0.content.text), favorite: $0) }
                .filter { fingerprints.contains($0.fingerprint) }
            let marks = Dictionary(uniqueKeysWithValues: before.hidden.map { ($0.fingerprint, $0) })
            var report = UndoReport()
            report.changedAt = change[0].at
            if fingerprints.count == 1 { report.id = try fingerprints.first.flatMap(connection.joke(of:)) }
            return try writeUserData(isBatch: true, isUndo: true) { journalWriter in
                var groups = try TouchedGroups(connection, rules, at: now)
                // Favorites of the same time get their keys in the order in which they were added.
                let others = fingerprints.subtracting(favorites.map(\.fingerprint)).map { ($0, nil as Favorite?) }
                for (fingerprint, favorite) in favorites.map({ ($0.fingerprint, $0.favorite) }) + others {
                    try groups.touch(fingerprint)
                    try restore(favorite, of: fingerprint, journalWriter, &report)
                    try restore(marks[fingerprint], of: fingerprint, journalWriter, &report)
                }
                try groups.settle()
                return report
            }
        }
    }

    private func restore(
        _ earlier: Favorite?, of fingerprint: Fingerprint, _ journalWriter: JournalWriter,
        _ report: inout UndoReport
    ) throws {
        switch (earlier, try connection.favorite(fingerprint)) {
        case (let earlier?, nil):
            try journalWriter.append(.favorite(try connection.insert(earlier, by: rules)))
            report.restoredFavorites += 1
        case (nil, _?):
            try connection.prepare("DELETE FROM favorites WHERE fingerprint = ?").run(fingerprint)
            try journalWriter.append(.unfavorite(fingerprint))
            report.removedFavorites += 1
        case (let earlier?, var current?) where earlier.note != current.note:
            current.note = earlier.note
            try connection.prepare("UPDATE favorites SET note = ? WHERE fingerprint = ?")
                .run(earlier.note, fingerprint)
            try journalWriter.append(.note(current))
            report.notes += 1
        default: break
        }
    }

    private func restore(
        _ earlier: HiddenMark?, of fingerprint: Fingerprint, _ journalWriter: JournalWriter,
        _ report: inout UndoReport
    ) throws {
        if let earlier, try connection.insert(earlier) {
            try journalWriter.append(.hide(earlier))
            report.hidden += 1
        } else if try earlier == nil && connection.removeHiddenMark(fingerprint) {
            try journalWriter.append(.unhide(fingerprint))
            report.unhidden += 1
        }
    }
}

extension Connection {
    /// Returns the ID of a joke with a fingerprint: the favorite, else the one that is shown, else any.
    fileprivate func joke(of fingerprint: Fingerprint) throws -> String? {
        try prepare(
            """
            SELECT id, 2 FROM favorites WHERE fingerprint = ?1 UNION ALL
            SELECT j.id, j.key IS g.shown FROM groups g JOIN jokes j ON j.joke_group = g.key WHERE g.fingerprint = ?1
            ORDER BY 2 DESC LIMIT 1
            """
        ).first(fingerprint) { row in try row.read(0) }
    }
}
