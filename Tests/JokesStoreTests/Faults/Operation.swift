import JokesCore
import JokesStore
import TestSupport

/// A store and a reader on a copy of a beginning, as far as they are open.
final class Scene {
    let fixture: Fixture
    var store: JokeStore!
    var reader: JokeReader!

    init(_ beginning: Beginning) throws {
        fixture = try beginning.fixture()
    }

    func open() throws {
        let store = try fixture.open(lockTimeout: .milliseconds(10))
        (self.store, reader) = (store, try JokeReader(of: store, randomness: SplitMix64(seed: 1)))
    }

    func close() {
        (store, reader) = (nil, nil)
    }
}

/// A call of the store or of the reader. Each of its system calls may fail.
struct Operation: Sendable {
    enum Effect: Sendable {
        case none
        /// Repeating a completed call changes nothing more.
        case repeatable
        case counted
        /// Opens the store or the reader, which other operations find open.
        case opens
    }

    let name: String
    let effect: Effect
    /// The preparation, without faults.
    var prepare: @Sendable (Scene) throws -> Void = { _ in }
    /// Returns the result as text.
    let run: @Sendable (Scene) throws -> String

    // MARK: All operations

    static let openings = [
        Operation(name: "open", effect: .opens) { scene in
            try scene.open()
            return ""
        }
    ]

    static let changes = [
        changing("ingest") { store in
            let batch = try jokes(35..<60) + [joke("a", "2", "Another duck.", categories: ["Duck"])]
            return try store.ingest(
                batch, from: "a", at: later, part: .inside, position: SourcePosition(cursor: "page 2"))
        },
        changing("ingest the end of a full sync") { store in
            let batch = try (0..<30).map { try joke("a", "\($0)", "Duck \($0) says something else.") }
            return try store.ingest(batch, from: "a", at: later, part: .end)
        },
        changing("ingest much") { store in
            try store.ingest(jokes(100..<620), from: "a", at: later, part: .inside)
        },
        changing("favorite") { store in try store.favorite(id("a:7"), at: later) },
        changing("favorite again") { store in try store.favorite(id("a:1"), at: later) },
        changing("unfavorite") { store in try store.unfavorite(id("b:2")) as Any },
        changing("favorite with a note") { store in try store.favorite(id("a:8"), note: "for later", at: later) },
        changing("hide") { store in try store.setHidden(true, id("a:9"), at: later) },
        changing("unhide") { store in try store.setHidden(false, id("a:4"), at: later) },
        changing("save a state") { store in
            try store.save(SourceState(cursor: "page 9", failure: "no answer", failureCount: 3), of: "b")
        },
        changing("save a position") { store in try store.save(SourcePosition(cursor: "page 8"), of: "b") },
        changing("save an allowance") { store in try store.saveRateLimit(resetAt: later, of: "a") },
        changing("adopt") { store in
            try store.adopt(
                DisplayRules(sourceOrder: ["b", "a"], filter: JokeFilter(safe: false, words: ["a7"], maxLength: nil)))
        },
        changing("import") { store in
            let content = JokeContent(text: .single("A duck from elsewhere."), language: "en", safety: .safe)
            let favorite = Favorite(id: id("c:1"), content: content, favoritedAt: later, firstSeen: later, note: nil)
            defer { try? store.discardImport(1) }
            // An earlier try may have left records.
            try store.discardImport(1)
            _ = try store.stage([.favorite(favorite)], ofImport: 1)
            return try store.finishImport(1, of: 1, at: later) as Any
        },
        changing("tidy up the words") { store in try store.mergeWordIndex() },
        Operation(
            name: "let go of jokes", effect: .counted,
            prepare: { scene in
                let store: JokeStore = scene.store
                store.assumeIsolated { store in store.adopt(CacheLimits(jokes: 20)) }
            }
        ) { scene in
            let store: JokeStore = scene.store
            return try store.assumeIsolated { store in "\(try store.tidy(at: later))" }
        },
        Operation(name: "record", effect: .counted, prepare: { scene in _ = try scene.reader.random() }) { scene in
            let deliveries: Deliveries = scene.reader.unrecorded
            try scene.store.assumeIsolated { store in try store.record(deliveries, at: later) }
            return ""
        },
    ]

    static let questions = [
        asking("list") { reader in try reader.list(limit: 30) },
        asking("list a category") { reader in try reader.list(JokeSelection(category: "duck"), limit: 30) },
        asking("list the rest of a source") { reader in
            try reader.list(JokeSelection(source: "a", maxLength: 40), after: PageCursor("20"), limit: 30)
        },
        asking("list the favorites") { reader in try reader.favorites() },
        asking("search") { reader in try reader.search("duck cro", limit: 9) },
        asking("search on") { reader in
            let first = try reader.search("duck cro", limit: 9)
            return try reader.search("duck cro", after: first.next, limit: 9)
        },
        asking("random") { reader in try reader.random() != nil },
        asking("random of a language") { reader in try reader.random(JokeSelection(language: "en")) != nil },
        asking("joke") { reader in try reader.joke(id("a:3")) as Any },
        asking("has") { reader in try reader.has(id("a:4")) },
        asking("ids") { reader in try reader.ids(withPrefix: "a:1", limit: 9) },
        asking("hidden marks") { reader in try reader.hidden(limit: 9) },
        asking("counts") { reader in
            let counts = try reader.counts()
            return [counts.stored, counts.shown, counts.favorites, counts.excludedFavorites]
        },
        asking("source states") { reader in try reader.sourceStates().keys.sorted() },
    ]

    private static func changing(
        _ name: String, _ change: @escaping @Sendable (isolated JokeStore) throws -> some Any
    ) -> Operation {
        Operation(name: name, effect: .repeatable) { scene in
            let store: JokeStore = scene.store
            return try store.assumeIsolated { store in "\(try change(store))" }
        }
    }

    private static func asking(
        _ name: String, _ question: @escaping @Sendable (JokeReader) throws -> some Any
    ) -> Operation {
        Operation(name: name, effect: .none) { scene in "\(try question(scene.reader))" }
    }

    private static let later = Fixture.noon.advanced(by: .seconds(7 * 86_400))

    private static func id(_ text: String) -> JokeID {
        JokeID(rawValue: text)
    }
}
