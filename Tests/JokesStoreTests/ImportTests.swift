import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing

/// Imports: the order of records, merging with existing records, imports in several parts, and refused records.
@Suite final class ImportTests: StoreTestCase {
    @discardableResult
    private func importRecords(_ records: ExchangeRecord..., import number: Int64 = 1) throws -> ImportReport {
        try importRecords(records, import: number)
    }

    @discardableResult
    private func importRecords(_ records: [ExchangeRecord], import number: Int64 = 1) throws -> ImportReport {
        #expect(try store.stage(records, import: number) == nil)
        let report = try store.finishImport(number)
        try checkTables(Connection(path: fixture.databasePath, access: .reading))
        return report
    }

    @Test("an import between two pages of favorites moves no favorite to another page")
    func importBetweenPages() throws {
        try importRecords((0..<20).map { favoriteRecord("a:\($0)", "Duck \($0).", hours: 100 - $0) })
        let first = try reader.favorites(limit: 7)
        let cursor = try #require(first.next)
        #expect(PageCursor(cursor.description) == cursor)
        try importRecords(favoriteRecord("b:1", "Before.", hours: 500))
        try importRecords(favoriteRecord("b:2", "After.", hours: 50))
        let second = try reader.favorites(after: cursor, limit: 100)
        #expect(second.rows.map(\.id.rawValue) == (7..<20).map { "a:\($0)" } + ["b:2"])
        let refused = #expect(throws: StoreError.self) { try reader.list(after: cursor, limit: 1) }
        #expect(refused?.code == .wrongCursor)
        let refusedAgain = #expect(throws: StoreError.self) { try reader.hiddenJokes(after: cursor, limit: 1) }
        #expect(refusedAgain?.code == .wrongCursor)
    }

    @Test("a new joke with the ID of a favorite but another text gets an ID that is derived from the text")
    func idCollision() throws {
        let records = [jokeRecord("a:1", "Another duck altogether."), favoriteRecord("a:1", "One small duck.")]
        #expect(try importRecords(records) == report { ($0.newFavorites, $0.newJokes) = (1, 1) })
        #expect(try importRecords(records) == report { ($0.knownFavorites, $0.knownJokes) = (1, 1) })
        #expect(try reader.favoriteIDs() == ["a:1"])
        let id = JokeID(source: "a", fingerprint: Fingerprint(of: .single("Another duck altogether.")))
        #expect(try reader.shownIDs() == [id.rawValue])
        #expect(try reader.joke(id)?.joke.firstSeen == time(0))
    }

    @Test("imported hidden marks hide existing jokes and imported jokes")
    func hiding() throws {
        try store.ingest([joke("a", "1", "One small duck."), joke("a", "2", "Two tiny ducks.")])
        let records = [
            hiddenRecord("one small DUCK"), hiddenRecord("Three small ducks."), jokeRecord("b:3", "Three small ducks."),
        ]
        #expect(try importRecords(records) == report { ($0.newHidden, $0.newJokes) = (2, 1) })
        #expect(try reader.shownIDs() == ["a:2"])
        #expect(try reader.hiddenMarks(limit: 9).map(\.hiddenAt) == [time(1), time(1)])
        #expect(try importRecords(records) == report { ($0.knownHidden, $0.knownJokes) = (2, 1) })
    }

    @Test("pages list each hidden mark once")
    func hiddenPages() throws {
        let marks = (0..<25).map { hiddenRecord("Duck number \($0) crosses the road.") }
        try importRecords(marks)
        var listed: [HiddenMark] = []
        while case let page = try reader.hiddenMarks(after: listed.last?.fingerprint, limit: 4), !page.isEmpty {
            listed += page
        }
        #expect(Set(listed.map(ExchangeRecord.hidden)) == Set(marks) && listed.count == 25)
    }

    @Test("an import has no effect before its end, and a discarded import has none; concurrent imports are independent")
    func stagedImports() throws {
        #expect(try store.stage([favoriteRecord("a:1", "One small duck.")], import: 1) == nil)
        #expect(try store.stage([favoriteRecord("a:2", "Two tiny ducks.")], import: 2) == nil)
        #expect(try store.stage([favoriteRecord("a:3", "Three small ducks.")], import: 1) == nil)
        #expect(try reader.favoriteIDs() == [])
        store.discard(import: 2)
        #expect(try store.finishImport(1).newFavorites == 2)
        #expect(try reader.favoriteIDs() == ["a:1", "a:3"])
        #expect(try store.finishImport(2) == ImportReport())
        #expect(try store.finishImport(1) == ImportReport())
    }

    @Test("staged records survive the recovery of a damaged database")
    func recovery() throws {
        try store.ingest([joke("a", "1", "One small duck.")])
        #expect(
            try store.stage([favoriteRecord("a:2", "Two tiny ducks."), hiddenRecord("One small duck.")], import: 1)
                == nil)
        let damage = reader.damage(StoreError(.corrupt, attempt: "read", reason: "a page is damaged"))
        try store.assumeIsolated { store in
            store.report(damage)
            _ = try #require(try store.recover())
        }
        #expect(try store.stage([jokeRecord("b:3", "Three small ducks.")], import: 1) == nil)
        #expect(try store.finishImport(1) == report { ($0.newFavorites, $0.newHidden, $0.newJokes) = (1, 1, 1) })
        #expect(try reader.favoriteIDs() == ["a:2"] && reader.shownIDs() == ["b:3"])
    }

    @Test("an invalid record is refused with its position, and control characters are removed from texts")
    func invalidRecords() throws {
        let refused = try store.stage(
            [favoriteRecord("a:1", "One small duck."), favoriteRecord("a:2", " \u{1B}[2J \u{7}")], import: 1)
        #expect(refused?.position == 1 && refused?.reason == "the text is empty")
        let late = Favorite(
            id: JokeID(rawValue: "a:3"), content: JokeContent(text: .single("x")),
            favoritedAt: Timestamp(microseconds: .max))
        #expect(try store.stage([.favorite(late)], import: 1)?.reason == "a time is outside the years 1970 to 9999")
        #expect(try store.finishImport(1) == ImportReport())
        try importRecords(favoriteRecord("a:\u{1B}x", "Red \u{1B}[31mduck\u{202E}.", note: "\u{7}bell"))
        let kept = try #require(try reader.favorites().first)
        #expect(kept.content.text == .single("Red duck.") && kept.note == "bell" && kept.id.rawValue.hasPrefix("a:~"))
    }
}

extension JokeStore {
    fileprivate nonisolated func stage(_ records: [ExchangeRecord], import number: Int64) throws -> RejectedRecord? {
        try assumeIsolated { store in try store.stage(records, ofImport: number) }
    }

    fileprivate nonisolated func finishImport(_ number: Int64) throws -> ImportReport {
        try assumeIsolated { store in try store.finishImport(number, at: time(1000)) }
    }

    fileprivate nonisolated func discard(import number: Int64) {
        assumeIsolated { store in store.discardImport(number) }
    }
}

// MARK: Imported records

private func time(_ hours: Int) -> Timestamp {
    Fixture.now.advanced(by: .seconds(3600 * hours))
}

private func favoriteRecord(
    _ id: String, _ text: String, hours: Int = 0, language: String = "en", note: String? = nil
) -> ExchangeRecord {
    .favorite(
        Favorite(
            id: JokeID(rawValue: id), content: JokeContent(text: .single(text), language: language, safety: .safe),
            favoritedAt: time(hours), firstSeen: time(-100), note: note))
}

private func jokeRecord(_ id: String, _ text: String, hours: Int = 0) -> ExchangeRecord {
    .joke(
        Joke(
            id: JokeID(rawValue: id), content: JokeContent(text: .single(text), language: "en", safety: .safe),
            isFavorite: false, firstSeen: time(hours)))
}

private func hiddenRecord(_ text: String) -> ExchangeRecord {
    .hidden(HiddenMark(fingerprint: Fingerprint(of: .single(text)), hiddenAt: time(1)))
}

private func report(_ change: (inout ImportReport) -> Void) -> ImportReport {
    var report = ImportReport()
    change(&report)
    return report
}
