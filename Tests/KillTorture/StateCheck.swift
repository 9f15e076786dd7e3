import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Unix

/// The state that a killed daemon left, in a copy that the store has recovered from the database and the journal as at
/// a start.
struct StateCheck {
    private let connection: Connection
    /// Contains the copy.
    private let folder: TemporaryFolder

    /// Copies the files with these names from the state folder of the daemon; `nil` if none of them exists yet.
    ///
    /// - Throws: `BrokenProperty` if the store considers a file damaged.
    init?(of state: String, names: [String] = ["jokes.sqlite", "jokes.sqlite-wal", Journal.fileName]) throws {
        folder = try TemporaryFolder()
        let found = names.filter { access("\(state)/\($0)", F_OK) == 0 }
        if found.isEmpty { return nil }
        for name in found { try folder.write(contentsOfFile("\(state)/\(name)", limit: 1 << 30), to: name) }
        let rules = DisplayRules(
            sourceOrder: ChangingSources.names, filter: JokeFilter(safe: false, maxLength: nil))
        let store = try JokeStore(folder: folder.path, executor: EventLoop(), rules: rules)
        let isWhole = store.recovery == nil || !names.contains("jokes.sqlite")
        try verify(isWhole, "the store considers a file damaged: \(String(describing: store.recovery))")
        connection = try Connection(
            path: folder.path("jokes.sqlite"), access: .writing, tokenizer: Schema.tokenizer)
    }

    /// Checks that the pages are intact, that every reference has a target, and that the index has the words of the
    /// shown jokes.
    func checkDatabase() throws {
        let diagnostics: [String] = try connection.prepare("PRAGMA integrity_check").map { row in try row.read(0) }
        try verify(diagnostics == ["ok"], "integrity_check failed: \(diagnostics)")
        try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
        let broken = try connection.prepare("PRAGMA foreign_key_check").map { _ in true }.count
        try verify(broken == 0, "\(broken) rows violate foreign keys")
        for (column, count) in [
            ("jokes", "SELECT count(*) FROM jokes WHERE source = sources.key"),
            ("shown", "SELECT count(*) FROM groups WHERE source = sources.key"),
        ] {
            let wrong = try number("SELECT count(*) FROM sources WHERE \(column) <> (\(count))")
            try verify(wrong == 0, "\(wrong) sources have a wrong count of jokes (\(column))")
        }
    }

    /// The fingerprints of the favorites, each with the setup that its favorite has.
    func favorites() throws -> [Fingerprint: String] {
        let rows = try connection.prepare("SELECT fingerprint, setup FROM favorites").map { row in
            (try fingerprint(row), try row.read(1, as: String.self))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The fingerprints of the hidden jokes.
    func hidden() throws -> Set<Fingerprint> {
        Set(try connection.prepare("SELECT fingerprint FROM hidden").map { row in try fingerprint(row) })
    }

    /// The fingerprints of all jokes that were ever stored, evicted ones included.
    func texts() throws -> Set<Fingerprint> {
        Set(try connection.prepare("SELECT fingerprint FROM groups").map { row in try fingerprint(row) })
    }

    /// The cursor at which each source continues.
    func cursors() throws -> [String: String] {
        let rows = try connection.prepare(
            "SELECT name, json_extract(position, '$.cursor') FROM sources WHERE json_extract(position, '$.cursor') IS NOT NULL"
        ).map { row in
            (try row.read(0, as: String.self), try row.read(1, as: String.self))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Checks that slices and pages are stored completely or not at all, and in order. The position of each source is after
    /// the last complete page.
    ///
    /// - Returns: The pages that are stored completely.
    func checkPages(_ pages: [ChangingSources.Page: [Fingerprint]]) throws -> Set<ChangingSources.Page> {
        let texts = try texts()
        var stored: Set<ChangingSources.Page> = []
        var begun: Set<ChangingSources.Page> = []
        for (page, fingerprints) in pages {
            let count = fingerprints.prefix { texts.contains($0) }.count
            try verify(
                count == fingerprints.count
                    || count.isMultiple(of: JokeStore.sliceCount)
                        && !fingerprints[count...].contains { texts.contains($0) },
                "\(page): \(count) of \(fingerprints.count) jokes are stored in order, and others out of order")
            if count > 0 { begun.insert(page) }
            if count == fingerprints.count { stored.insert(page) }
        }
        for page in begun where page.number > 0 {
            let before = ChangingSources.Page(
                source: page.source, generation: page.generation, number: page.number - 1)
            try verify(stored.contains(before), "\(page) is stored, but the previous page is not")
        }
        for (source, cursor) in try cursors() {
            try checkPosition(source, cursor, stored)
        }
        return stored
    }

    private func checkPosition(_ source: String, _ cursor: String, _ stored: Set<ChangingSources.Page>) throws {
        guard let next = nextCursor(cursor).flatMap({ ChangingSources.page(source, atCursor: $0) }) else {
            // Between two full syncs: the last one is stored completely.
            let last = stored.filter { $0.source == source }.map(\.generation).max()
            let count = stored.count { $0.source == source && $0.generation == last }
            return try verify(
                count == 0 || count == ChangingSources.pagesOfFullSync, "\(source): \(count) pages are stored")
        }
        for page in stored where page.source == source && page.generation == next.generation {
            try verify(page.number < next.number, "\(source) continues at \(next), but \(page) is stored")
        }
        let before = ChangingSources.Page(source: source, generation: next.generation, number: next.number - 1)
        try verify(stored.contains(before), "\(source) continues at \(next), but the previous page is not stored")
    }

    /// Returns the server's own cursor from the cursor of a source of type `json`: `… "next":"3.4" …`.
    private func nextCursor(_ kept: String) -> String? {
        guard let start = kept.firstRange(of: "\"next\":\"")?.upperBound else { return nil }
        return String(kept[start...].prefix { $0 != "\"" })
    }

    private func fingerprint(_ row: borrowing Row) throws -> Fingerprint {
        let bytes: [UInt8] = try row.read(0)
        guard let fingerprint = Fingerprint(bytes: bytes) else { throw BrokenProperty("invalid fingerprint: \(bytes)") }
        return fingerprint
    }

    private func number(_ sql: String) throws -> Int {
        try connection.prepare(sql).first { row in try row.read(0) } ?? 0
    }
}
