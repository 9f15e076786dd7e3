import JokesCore
import JokesExchange
import SQLite
import Unix

/// A damaged or foreign database that was renamed.
struct ReplacedDatabase {
    let reason: String
    /// The new path; nil if there was no file.
    let path: String?
    let salvaged: SalvagedContents
}

/// The favorites and hidden marks that SQLite can still read from a database that is damaged, foreign, or of an
/// unreleased version of this program.
struct SalvagedContents {
    /// Each favorite with the fingerprint in its row.
    private(set) var favorites: [(fingerprint: Fingerprint, favorite: Favorite)] = []
    fileprivate var hidden: [HiddenMark] = []
    /// Recoveries that no person has seen yet.
    private(set) var recoveries: [Recovery] = []
    /// The last change of the journal that the database has.
    private var position: JournalContents.Position?

    /// Reads the rows that can be read, and ignores all errors.
    init(of files: StoreFiles) {
        let hasWAL = (try? files.size("-wal") ?? 0) ?? 0 > 0
        guard exists(files.database),
            let connection = try? Connection(
                path: files.database, .init(access: hasWAL ? .readingImmutableWithWAL : .readingImmutable))
        else { return }
        position = (try? connection.setting(.journal)).flatMap { JournalContents.Position($0) }
        recoveries = Recovery.list(from: (try? connection.setting(.recoveries)) ?? "")
        (favorites, hidden) = (connection.readableFavorites(), connection.readableMarks())
    }

    /// Whether an undamaged journal has all changes that the database had.
    fileprivate func isContained(in contents: JournalContents) -> Bool {
        guard contents.damagedLines == 0, contents.unconfirmed.isEmpty, let position else { return false }
        return contents.entries.contains { $0.record.sequence == position.sequence && $0.sum == position.sum }
    }
}

extension Journal {
    /// Appends the favorites and hidden marks that the journal lacks, as one batch.
    func add(_ salvaged: SalvagedContents, at now: Timestamp) throws {
        let contents = JournalContents(try bytes())
        if salvaged.isContained(in: contents) { return }
        let known = Marks(contents.entries + contents.unconfirmed)
        var changes: [JournalRecord.Change] = []
        for (fingerprint, favorite) in salvaged.favorites {
            guard let other = known.favorite(fingerprint) else {
                changes.append(.favorite(favorite))
                continue
            }
            if other.note == nil && favorite.note != nil { changes.append(.note(favorite)) }
        }
        changes += salvaged.hidden.filter { !known.has($0) }.map { .hide($0) }
        // An incomplete batch must not become part of the next one.
        let rest = contents.unconfirmed.isEmpty ? contents.end : contents.endOfLines
        if rest < end { try truncate(to: rest) }
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
    fileprivate func readableFavorites() -> [(fingerprint: Fingerprint, favorite: Favorite)] {
        let hasNotes = (try? has("SELECT 1 FROM pragma_table_info('favorites') WHERE name = 'note'")) == true
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

    fileprivate func readableMarks() -> [HiddenMark] {
        let marks = readableRows("SELECT fingerprint, hidden_at FROM hidden ORDER BY fingerprint") { row in
            HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1))
        }
        return Array(Set(marks))
    }

    /// Reads rows in both directions: from either end to the first page that cannot be read.
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
