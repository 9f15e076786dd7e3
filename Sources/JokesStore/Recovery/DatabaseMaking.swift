import Glibc
import JokesCore
import SQLite
import Unix

extension StoreFiles {
    /// Makes a new database, with what was salvaged of another; nobody ever finds it unfinished.
    ///
    /// - Throws: `SQLiteError`, `SystemError`.
    func make(_ salvage: Salvage? = nil, recoveries: [Recovery] = [], at now: Timestamp) throws {
        try making.remove()
        do {
            let connection = try Connection(path: making.database, .init(access: .writing))
            try connection.migrate(Schema.migrations, applicationID: Schema.applicationID)
            try connection.write(.synced) {
                if let salvage { try connection.take(salvage, at: now) }
                if !recoveries.isEmpty { try connection.set(.recoveries, to: Recovery.text(of: recoveries)) }
                try connection.set(.checkedAt, to: "\(now.microseconds)")
            }
            // Whoever opens it under its other name looks for no log of this one.
            try connection.completeCheckpoint()
        }
        guard try making.size("-wal") ?? 0 == 0 else {
            throw SystemError("merge the WAL into", making.database, code: EBUSY)
        }
        try retrying("move the new database to", database) { rename(making.database, database) }
        try syncFolder(folder)
    }
}

extension Connection {
    /// Stores what was salvaged, within a transaction, in a database that is empty.
    fileprivate func take(_ salvage: Salvage, at now: Timestamp) throws {
        // The favorites get other keys: a page that was asked for before leads nowhere here.
        try set(.favoritesOrder, to: "\(Int64.random(in: 1 ... .max))")
        // Which pass the filters is worked out with all the rest.
        for kept in salvage.favorites { try insert(kept, isAdmitted: true) }
        for (fingerprint, time) in salvage.hidden {
            try prepare("INSERT INTO hidden (fingerprint, hidden_at) VALUES (?, ?)").run(fingerprint, time)
        }
        // As after the cache has let go of their jokes: those come again, and count as told then.
        for told in salvage.told.values {
            try prepare(
                "INSERT INTO groups (fingerprint, told, told_at, shuffle, emptied_at) VALUES (?, ?, ?, ?, ?)"
            ).run(told.fingerprint, told.count, told.at, Int64(UInt32.random(in: .min ... .max)), now)
        }
    }

    /// Stores a favorite that was read without SQLite, of a text that is none yet, behind all others.
    func insert(_ kept: Salvage.Kept, isAdmitted: Bool) throws {
        let (joke, content) = (kept.joke, kept.joke.content)
        let isTaken = try means(joke.id, otherThan: joke.fingerprint)
        let id = isTaken ? try idOfText(String(joke.id.source), joke.fingerprint) : joke.id
        try prepare(
            """
            INSERT INTO favorites (
                fingerprint, id, favorited_at, first_seen, note, admitted, \(Schema.contentColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            joke.fingerprint, id, kept.favoritedAt, kept.firstSeen, kept.note, isAdmitted, content.text.setup,
            content.text.punchline, content.language, CategoryList(content.categories), content.flags,
            content.safety, content.url, content.author, content.upstreamDate)
    }
}
