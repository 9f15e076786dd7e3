import JokesCore
import JokesExchange
import SQLite

/// Stores the staged records of an import, within one transaction. The caller opens and commits the transaction.
struct ImportTransaction {
    let connection: Connection
    /// Appends the changes to the journal.
    let journalWriter: JournalWriter
    let rules: DisplayRules
    let limits: CacheLimits
    let now: Timestamp
    private(set) var randomness: any RandomNumberGenerator & Sendable
    private(set) var report = ImportReport()

    mutating func run(_ staged: StagedRecords) throws -> ImportReport {
        try staged.forEachFavorite { favorite in try insert(favorite) }
        // Before the jokes, so that hidden jokes are never shown.
        try insertHidden(staged)
        try insertJokes(staged)
        return report
    }

    private mutating func insert(_ favorite: Favorite) throws {
        var favorite = favorite
        favorite.content = rules.completed(favorite.content, from: String(favorite.id.source))
        let fingerprint = Fingerprint(of: favorite.content.text)
        if var known = try connection.favorite(fingerprint) {
            guard favorite.note != nil && known.note == nil else {
                report.knownFavorites += 1
                return
            }
            known.note = favorite.note
            try connection.prepare("UPDATE favorites SET note = ? WHERE fingerprint = ?")
                .run(favorite.note, fingerprint)
            try journalWriter.append(.note(known))
            report.changedFavorites += 1
            return
        }
        let (stored, isAdmitted) = try connection.insert(favorite, by: rules)
        try journalWriter.append(.favorite(stored))
        report.newFavorites += 1
        report.excluded += isAdmitted ? 0 : 1
    }

    private mutating func insertHidden(_ staged: StagedRecords) throws {
        var shownJokes = try ShownJokes(connection, rules)
        try staged.forEachHidden { mark in
            guard try connection.insert(mark) else {
                report.knownHidden += 1
                return
            }
            report.newHidden += 1
            try journalWriter.append(.hide(mark))
            if let group = try connection.group(of: mark.fingerprint) { try shownJokes.update(group) }
            try shownJokes.flushIfLarge()
        }
        try shownJokes.flush()
    }

    private mutating func insertJokes(_ staged: StagedRecords) throws {
        // Each `Ingest` begins at the next free key, so only one can be open: one for consecutive jokes of a source. Keys
        // then ascend in the order of reading, from the last record to the first.
        var current: (source: String, ingest: Ingest)?
        try staged.forEachJoke { joke in
            let source = String(joke.id.source)
            if current?.source != source {
                try finish(&current)
                let ingest = try Ingest(
                    connection, rules: rules, limits: limits, source: source, at: now, part: .outside,
                    passPart: .whole, randomness: randomness)
                current = (source, ingest)
            }
            // Nil if the joke was not inserted.
            let isAdmitted = try current?.ingest.storeImported(joke)
            report.newJokes += isAdmitted == nil ? 0 : 1
            report.skippedJokes += isAdmitted == nil ? 1 : 0
            report.excluded += isAdmitted == false ? 1 : 0
        }
        try finish(&current)
    }

    private mutating func finish(_ current: inout (source: String, ingest: Ingest)?) throws {
        _ = try current?.ingest.finish()
        if let used = current?.ingest.randomness { randomness = used }
        current = nil
    }
}
