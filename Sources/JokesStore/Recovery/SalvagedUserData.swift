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
}

extension UserData {
    /// Reads the favorites and hidden marks that SQLite can still read from a damaged database, and ignores all errors.
    init(salvagedFrom files: StoreFiles) {
        let hasWAL = (try? files.size("-wal") ?? 0) ?? 0 > 0
        guard exists(files.database),
            let connection = try? Connection(
                path: files.database, access: hasWAL ? .readingImmutableWithWAL : .readingImmutable)
        else {
            self.init()
            return
        }
        let rows = connection.readableRows("SELECT key, \(Favorite.columns) FROM favorites NOT INDEXED ORDER BY key") {
            row in (try row.read(0, as: Int64.self), try Favorite(row: row, from: 1))
        }
        var favorites: [Int64: Favorite] = [:]
        for (key, favorite) in rows {
            if case .favorite(let clean) = try? ExchangeRecord.favorite(favorite).checked() { favorites[key] = clean }
        }
        let hidden = connection.readableRows("SELECT fingerprint, hidden_at FROM hidden ORDER BY fingerprint") { row in
            HiddenMark(fingerprint: try row.read(0), hiddenAt: try row.read(1))
        }
        self.init(favorites: favorites.sorted { $0.key < $1.key }.map(\.value), hidden: Array(Set(hidden)))
    }
}

extension Connection {
    /// Reads the rows of a table forwards and then backwards, each time up to the first page that cannot be read. A row
    /// may be returned twice.
    fileprivate func readableRows<Record>(_ query: String, _ read: (borrowing Row) throws -> Record) -> [Record] {
        var found: [Record] = []
        for direction in ["ASC", "DESC"] {
            _ = try? prepare("\(query) \(direction)").map { row in
                if let record = try? read(row) { found.append(record) }
            }
        }
        return found
    }
}
