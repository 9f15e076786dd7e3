import JokesCore
import JokesExchange
import SQLite

/// An import on its way in, within one transaction.
struct Importing {
    private let connection: Connection
    private let rules: ShowingRules
    private let limits: CacheLimits
    private let now: Timestamp
    private(set) var randomness: any RandomNumberGenerator & Sendable
    /// Takes the changes that the journal must have.
    private let changes: JournalWriter
    private var report = ImportReport()

    init(
        _ connection: Connection, _ changes: JournalWriter, rules: ShowingRules, limits: CacheLimits, at now: Timestamp,
        randomness: any RandomNumberGenerator & Sendable
    ) throws {
        self.connection = connection
        self.changes = changes
        self.rules = rules
        self.limits = limits
        self.now = now
        self.randomness = randomness
    }

    mutating func run(_ brought: BroughtKeepsakes) throws -> ImportReport {
        try takeFavorites(brought)
        // Before the jokes: those that are hidden are never shown then.
        try takeHidden(brought)
        try takeJokes(brought)
        return report
    }

    // MARK: Favorites

    private mutating func takeFavorites(_ brought: BroughtKeepsakes) throws {
        try brought.forEachFavorite { favorite in try takeFavorite(favorite) }
    }

    private mutating func takeFavorite(_ favorite: Favorite) throws {
        var favorite = favorite
        favorite.content = rules.completed(favorite.content, from: String(favorite.id.source))
        let fingerprint = Fingerprint(of: favorite.content.text)
        if var known = try connection.favorite(fingerprint) {
            let gainsNote = favorite.note != nil && known.note == nil
            if gainsNote {
                known.note = favorite.note
                try connection.prepare("UPDATE favorites SET note = ? WHERE fingerprint = ?")
                    .run(favorite.note, fingerprint)
                try changes.append(.note(known))
            }
            report.changedFavorites += gainsNote ? 1 : 0
            report.knownFavorites += gainsNote ? 0 : 1
            return
        }
        let (stored, isAdmitted) = try connection.insert(favorite, by: rules)
        try changes.append(.favorite(stored))
        report.newFavorites += 1
        report.leftOut += isAdmitted ? 0 : 1
    }

    // MARK: Hidden marks

    private mutating func takeHidden(_ brought: BroughtKeepsakes) throws {
        var shown = try ShownJokes(connection, rules)
        try brought.forEachHidden { mark in
            try connection.prepare("INSERT OR IGNORE INTO hidden (fingerprint, hidden_at) VALUES (?, ?)")
                .run(mark.fingerprint, mark.hiddenAt)
            let isNew = connection.changes > 0
            if isNew { try changes.append(.hide(mark)) }
            report.newHidden += isNew ? 1 : 0
            report.knownHidden += isNew ? 0 : 1
            if isNew, let group = try connection.group(of: mark.fingerprint) { try shown.update(group) }
            try shown.flushIfLarge()
        }
        try shown.flush()
    }

    // MARK: Jokes

    private mutating func takeJokes(_ brought: BroughtKeepsakes) throws {
        // Of one source as long as its jokes follow one another: the list keeps its order.
        var current: (source: String, ingest: Ingest)?
        try brought.forEachJoke { joke in
            let source = String(joke.id.source)
            if current?.source != source {
                try finish(&current)
                current = (source, try ingest(source))
            }
            let isAdmitted = try current?.ingest.storeImported(joke)
            report.newJokes += isAdmitted == nil ? 0 : 1
            report.knownJokes += isAdmitted == nil ? 1 : 0
            report.leftOut += isAdmitted == false ? 1 : 0
        }
        try finish(&current)
    }

    private func ingest(_ source: String) throws -> Ingest {
        try Ingest(
            connection, rules: rules, limits: limits, source: source, at: now, part: .outside, randomness: randomness)
    }

    private mutating func finish(_ current: inout (source: String, ingest: Ingest)?) throws {
        _ = try current?.ingest.finish()
        if let used = current?.ingest.randomness { randomness = used }
        current = nil
    }
}
