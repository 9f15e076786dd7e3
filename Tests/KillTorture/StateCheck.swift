import Glibc
import JokesCore
import JokesSources
import JokesStore
import SQLite
import TestSupport
import Unix

/// What a killed daemon has left: a copy, as the next start makes it of the database and the journal.
struct StateCheck {
    private let connection: Connection
    /// Has the copy.
    private let folder: TemporaryFolder

    /// Copies the files with these names from the state folder of the daemon; nil if there is none of them yet.
    ///
    /// - Throws: `BrokenLaw` if a file is taken for damaged.
    init?(of state: String, names: [String] = ["jokes.sqlite", "jokes.sqlite-wal", Journal.fileName]) throws {
        folder = try TemporaryFolder()
        let found = names.filter { access("\(state)/\($0)", F_OK) == 0 }
        if found.isEmpty { return nil }
        for name in found { try folder.write(contentsOfFile("\(state)/\(name)", limit: 1 << 30), to: name) }
        let rules = ShowingRules(
            sourceOrder: ChangingSources.names, filter: JokeFilter(safe: false, maxLength: nil))
        let store = try JokeStore(folder: folder.path, executor: EventLoop(), rules: rules)
        let isWhole = store.recovery == nil || !names.contains("jokes.sqlite")
        try hold(isWhole, "taken for damaged: \(String(describing: store.recovery))")
        connection = try Connection(path: folder.path("jokes.sqlite"), .init(access: .writing))
    }

    /// The pages are whole, the references lead somewhere, the index has the words that are shown.
    func checkDatabase() throws {
        let findings: [String] = try connection.prepare("PRAGMA integrity_check").map { row in try row.read(0) }
        try hold(findings == ["ok"], "the file is damaged: \(findings)")
        try connection.execute("INSERT INTO shown_words (shown_words, rank) VALUES ('integrity-check', 1)")
        let broken = try connection.prepare("PRAGMA foreign_key_check").map { _ in true }.count
        try hold(broken == 0, "\(broken) references lead nowhere")
        for (column, count) in [
            ("jokes", "SELECT count(*) FROM jokes WHERE source = sources.key"),
            ("shown", "SELECT count(*) FROM groups WHERE source = sources.key"),
        ] {
            let wrong = try number("SELECT count(*) FROM sources WHERE \(column) <> (\(count))")
            try hold(wrong == 0, "\(wrong) sources count their jokes wrong (\(column))")
        }
    }

    /// The texts that are starred, each with what its favorite says.
    func favorites() throws -> [Fingerprint: String] {
        let rows = try connection.prepare("SELECT fingerprint, setup FROM favorites").map { row in
            (try fingerprint(row), try row.read(1, as: String.self))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// The texts that are hidden.
    func hidden() throws -> Set<Fingerprint> {
        Set(try connection.prepare("SELECT fingerprint FROM hidden").map { row in try fingerprint(row) })
    }

    /// The texts that came, those that the cache let go of among them.
    func texts() throws -> Set<Fingerprint> {
        Set(try connection.prepare("SELECT fingerprint FROM groups").map { row in try fingerprint(row) })
    }

    /// Where each source goes on.
    func cursors() throws -> [String: String] {
        let rows = try connection.prepare("SELECT name, cursor FROM sources WHERE cursor IS NOT NULL").map { row in
            (try row.read(0, as: String.self), try row.read(1, as: String.self))
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Checks that each slice of a page is stored whole or not at all and after the slice before it, that each page comes
    /// after the page before it, and that the position of each source is after the last whole page.
    ///
    /// - Returns: the pages that are stored whole.
    func checkPages(_ pages: [ChangingSources.Page: [Fingerprint]]) throws -> Set<ChangingSources.Page> {
        let texts = try texts()
        var stored: Set<ChangingSources.Page> = []
        var begun: Set<ChangingSources.Page> = []
        for (page, fingerprints) in pages {
            let count = fingerprints.prefix { texts.contains($0) }.count
            try hold(
                count == fingerprints.count
                    || count.isMultiple(of: SourceBatch.maxSliceCount)
                        && !fingerprints[count...].contains { texts.contains($0) },
                "\(page) has \(count) of \(fingerprints.count) jokes in order, and others")
            if count > 0 { begun.insert(page) }
            if count == fingerprints.count { stored.insert(page) }
        }
        for page in begun where page.number > 0 {
            let before = ChangingSources.Page(
                source: page.source, generation: page.generation, number: page.number - 1)
            try hold(stored.contains(before), "\(page) is there, and the one before it is not")
        }
        for (source, cursor) in try cursors() {
            try checkPosition(source, cursor, stored)
        }
        return stored
    }

    private func checkPosition(_ source: String, _ cursor: String, _ stored: Set<ChangingSources.Page>) throws {
        guard let next = nextCursor(cursor).flatMap({ ChangingSources.page(source, atCursor: $0) }) else {
            // Between two sweeps: the last that was begun is there whole.
            let last = stored.filter { $0.source == source }.map(\.generation).max()
            let count = stored.count { $0.source == source && $0.generation == last }
            return try hold(count == 0 || count == ChangingSources.pagesOfSweep, "\(source) ended at \(count) pages")
        }
        for page in stored where page.source == source && page.generation == next.generation {
            try hold(page.number < next.number, "\(source) goes on at \(next), and \(page) is there")
        }
        let before = ChangingSources.Page(source: source, generation: next.generation, number: next.number - 1)
        try hold(stored.contains(before), "\(source) goes on at \(next), and the page before it is not there")
    }

    /// The server's own cursor, out of what the source of type `json` keeps: `… "next":"3.4" …`.
    private func nextCursor(_ kept: String) -> String? {
        guard let start = kept.firstRange(of: "\"next\":\"")?.upperBound else { return nil }
        return String(kept[start...].prefix { $0 != "\"" })
    }

    private func fingerprint(_ row: borrowing Row) throws -> Fingerprint {
        let bytes: [UInt8] = try row.read(0)
        guard let fingerprint = Fingerprint(bytes: bytes) else { throw BrokenLaw("a fingerprint has \(bytes)") }
        return fingerprint
    }

    private func number(_ sql: String) throws -> Int {
        try connection.prepare(sql).first { row in try row.read(0) } ?? 0
    }
}
