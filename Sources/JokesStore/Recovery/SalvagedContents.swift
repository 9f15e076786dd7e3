import JokesCore
import JokesExchange
import SQLite
import Unix

/// A damaged or foreign database that was renamed.
struct ReplacedDatabase {
    /// The damage.
    let reason: String
    /// The new path; nil if there was no file.
    let path: String?
    let salvaged: SalvagedContents
}

/// The favorites and hidden marks that SQLite can still read from a replaced database.
///
/// The database is damaged, of another program, or of an unreleased version of this program.
struct SalvagedContents {
    /// Each favorite with the fingerprint in its row.
    private(set) var favorites: [(fingerprint: Fingerprint, favorite: Favorite)] = []
    fileprivate var hidden: [HiddenMark] = []
    /// The recoveries that no user has seen yet.
    private(set) var recoveries: [Recovery] = []
    /// The position in the journal of the last change that the database has.
    private var position: JournalContents.Position?

    /// Reads the rows that can be read, and ignores all errors.
    init(of files: StoreFiles) {
        let hasWAL = (try? files.size("-wal") ?? 0) ?? 0 > 0
        guard exists(files.database),
            let connection = try? Connection(
                path: files.database, .init(access: hasWAL ? .readingImmutableWithWAL : .readingImmutable))
        else { return }
        position = (try? connection.setting(.journalPosition)).flatMap { JournalContents.Position($0) }
        recoveries = Recovery.list(from: (try? connection.setting(.recoveries)) ?? "")
        (favorites, hidden) = (connection.readableFavorites(), connection.readableHiddenMarks())
    }

    /// Returns true if a journal is undamaged and has all changes that the database has.
    fileprivate func isContained(in contents: JournalContents) -> Bool {
        guard contents.damagedLines == 0, contents.unconfirmed.isEmpty, let position else { return false }
        return contents.entries.contains { $0.record.sequence == position.sequence && $0.checksum == position.checksum }
    }
}

extension Journal {
    /// Appends the favorites and hidden marks that the journal lacks, as one batch.
    func addMissing(_ salvaged: SalvagedContents, at now: Timestamp) throws {
        let contents = JournalContents(try bytes())
        if salvaged.isContained(in: contents) { return }
        let userData = UserData(contents.entries + contents.unconfirmed)
        var changes: [JournalRecord.Change] = []
        for (fingerprint, favorite) in salvaged.favorites {
            guard let known = userData.favorite(fingerprint) else {
                changes.append(.favorite(favorite))
                continue
            }
            if known.note == nil && favorite.note != nil { changes.append(.note(favorite)) }
        }
        changes += salvaged.hidden.filter { !userData.has($0) }.map { .hide($0) }
        // The new batch must not continue an incomplete last line or batch.
        let newEnd = contents.unconfirmed.isEmpty ? contents.end : contents.endOfLines
        if newEnd < end { try truncate(to: newEnd) }
        position = contents.position
        let savepoint = savepoint
        let writer = JournalWriter(self, isBatch: true, after: contents.lastSequence, at: now)
        do {
            for change in changes { try writer.append(change) }
            _ = try writer.finish()
        } catch {
            rollBack(to: savepoint)
            throw error
        }
    }
}

extension Connection {
    /// Returns the favorites that can be read, in the order of their keys.
    fileprivate func readableFavorites() -> [(fingerprint: Fingerprint, favorite: Favorite)] {
        let hasNotes = (try? hasRow("SELECT 1 FROM pragma_table_info('favorites') WHERE name = 'note'")) == true
        let columns = hasNotes ? Favorite.columns : Favorite.columns.replacing("note", with: "NULL")
        let found = readableRows("SELECT key, fingerprint, \(columns) FROM favorites NOT INDEXED ORDER BY key") { row in
            (try row.read(0, as: Int64.self), try row.read(1, as: Fingerprint.self), try Favorite(row: row, from: 2))
        }
        var rows: [Int64: (Fingerprint, Favorite)] = [:]
        for (key, fingerprint, favorite) in found {
            if case .favorite(let clean) = try? ExchangeRecord.favorite(favorite).checked() {
                rows[key] = (fingerprint, clean)
            }
        }
        return rows.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the hidden marks that can be read.
    fileprivate func readableHiddenMarks() -> [HiddenMark] {
        let marks = readableRows("SELECT fingerprint, hidden_at FROM hidden ORDER BY fingerprint") { row in
            HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1))
        }
        return Array(Set(marks))
    }

    /// Reads the rows of a table forwards and then backwards, each time up to the first page that cannot be read. A row
    /// may be returned twice.
    private func readableRows<Record>(_ query: String, _ read: (borrowing Row) throws -> Record) -> [Record] {
        var found: [Record] = []
        for direction in ["ASC", "DESC"] {
            _ = try? prepare("\(query) \(direction)").map { row in
                if let record = try? read(row) { found.append(record) }
            }
        }
        return found
    }
}
