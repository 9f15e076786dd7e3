import JokesCore
import JokesStore
import TestSupport

/// The store and the reader that an operation uses, on a copy of an initial state. Both are nil until `open`.
final class OperationContext {
    let fixture: Fixture
    var store: JokeStore!
    var reader: JokeReader!

    init(_ initialState: InitialState) throws {
        fixture = try initialState.makeFixture()
    }

    func open() throws {
        let store = try fixture.open(lockTimeout: .milliseconds(10))
        (self.store, reader) = (store, try JokeReader(of: store))
    }

    func close() {
        (store, reader) = (nil, nil)
    }
}

/// An operation of the store or of the reader, during which VFS calls and allocations of SQLite fail.
struct Operation: Sendable {
    enum Effect: Sendable {
        /// No change.
        case none
        /// A change that has no effect if it is repeated.
        case idempotent
        /// A change that has an effect each time.
        case cumulative
        /// The operation opens the store and the reader. All other operations start with an open store.
        case opens
    }

    let name: String
    let effect: Effect
    /// Prepares the context. No call fails during the preparation.
    var prepare: @Sendable (OperationContext) throws -> Void = { _ in }
    /// Performs the operation, and returns its result as text.
    let run: @Sendable (OperationContext) throws -> String

    // MARK: All operations

    static let openings = [
        Operation(name: "open", effect: .opens) { context in
            try context.open()
            return ""
        }
    ]

    static let changes = [
        changing("ingest") { store in
            let batch = try jokes(35..<60) + [joke("a", "2", "Another duck.", categories: ["Duck"])]
            return try store.ingest(
                batch, from: "a", at: later, part: nextPage,
                position: SourcePosition(cursor: "page 2"))
        },
        changing("ingest the end of a full sync") { store in
            let batch = try (0..<30).map { try joke("a", "\($0)", "Duck \($0) says something else.") }
            return try store.ingest(batch, from: "a", at: later, part: lastPage)
        },
        changing("ingest a large batch") { store in
            try store.ingest(jokes(100..<620), from: "a", at: later, part: nextPage)
        },
        changing("favorite") { store in try store.favorite(id("a:7"), at: later) },
        changing("favorite again") { store in try store.favorite(id("a:1"), at: later) },
        changing("unfavorite") { store in try store.unfavorite(id("b:2")) as Any },
        changing("favorite with a note") { store in try store.favorite(id("a:8"), note: "for later", at: later) },
        changing("hide") { store in try store.setHidden(true, id("a:9"), at: later) },
        changing("unhide") { store in try store.setHidden(false, id("a:4"), at: later) },
        Operation(name: "undo", effect: .cumulative) { context in
            let store: JokeStore = context.store
            return try store.assumeIsolated { store in "\(try store.undo(at: later) as Any)" }
        },
        changing("begin a sync") { store in
            try store.beginSync(of: "a", with(SourceState()) { $0.requestSignature = "q" })
        },
        changing("end a sync") { store in
            let state = with(SourceState()) { ($0.failure, $0.failureCount) = ("no answer", 3) }
            return try store.endSync(of: "b", state)
        },
        changing("save a position") { store in try store.save(SourcePosition(cursor: "page 8"), of: "b") },
        changing("save limits") { store in
            try store.saveLimits(in: with(SourceState()) { $0.retryAfter = later }, of: ["a"])
        },
        changing("adopt display rules") { store in
            try store.adopt(
                DisplayRules(sourceOrder: ["b", "a"], filter: JokeFilter(safe: false, words: ["a7"], maxLength: nil)))
        },
        changing("import") { store in
            let content = JokeContent(text: .single("A duck from elsewhere."), language: "en", safety: .safe)
            let favorite = Favorite(id: id("c:1"), content: content, favoritedAt: later, firstSeen: later, note: nil)
            defer { store.discardImport(1) }
            // A failed run may have left records.
            store.discardImport(1)
            _ = try store.stage([.favorite(favorite)], ofImport: 1)
            return try store.finishImport(1, at: later) as Any
        },
        changing("merge the full-text index") { store in try store.mergeFullTextIndex() },
        Operation(
            name: "evict jokes", effect: .cumulative,
            prepare: { context in
                let store: JokeStore = context.store
                store.assumeIsolated { store in store.adopt(CacheLimits(maxJokes: 20)) }
            }
        ) { context in
            let store: JokeStore = context.store
            return try store.assumeIsolated { store in "\(try store.tidy(at: later))" }
        },
        Operation(name: "serve a random joke", effect: .cumulative) { context in
            let store: JokeStore = context.store
            return try store.assumeIsolated { store in
                // Of several sources, the next one is random, also when the operation is repeated.
                try store.random(JokeSelection(source: "a"), at: later)?.id.rawValue ?? "none"
            }
        },
    ]

    static let reads = [
        reading("list") { reader in try reader.list(limit: 30) },
        reading("list a category") { reader in try reader.list(JokeSelection(category: "duck"), limit: 30) },
        reading("list the rest of a source") { reader in
            let selection = JokeSelection(source: "a", maxLength: 40)
            return try reader.list(selection, after: reader.list(selection, limit: 20).next, limit: 30)
        },
        reading("list the favorites") { reader in try reader.favorites() },
        reading("search") { reader in try reader.search("duck cro", limit: 9) },
        reading("search the next page") { reader in
            let first = try reader.search("duck cro", limit: 9)
            return try reader.search("duck cro", after: first.next, limit: 9)
        },
        reading("any joke") { reader in try reader.anyJoke() != nil },
        reading("joke") { reader in try reader.joke(id("a:3")) as Any },
        reading("has a joke") { reader in try reader.has(id("a:4")) },
        reading("IDs with a prefix") { reader in try reader.ids(withPrefix: "a:1", limit: 9) },
        reading("hidden marks") { reader in try reader.hiddenMarks(limit: 9) },
        reading("counts") { reader in
            let counts = try reader.counts()
            return [counts.stored, counts.shown, counts.favorites, counts.excludedFavorites]
        },
        reading("source states") { reader in try reader.sourceStates().keys.sorted() },
    ]

    private static func changing(
        _ name: String, _ change: @escaping @Sendable (isolated JokeStore) throws -> some Any
    ) -> Operation {
        Operation(name: name, effect: .idempotent) { context in
            let store: JokeStore = context.store
            return try store.assumeIsolated { store in "\(try change(store))" }
        }
    }

    private static func reading(
        _ name: String, _ read: @escaping @Sendable (JokeReader) throws -> some Any
    ) -> Operation {
        Operation(name: name, effect: .none) { context in "\(try read(context.reader))" }
    }

    /// Repeated, it stores no other keys, unlike the beginning of a pass.
    private static let nextPage = BatchPart(beginsPass: false)
    private static let lastPage = BatchPart(completesFullSync: true, beginsPass: false)
    private static let later = Fixture.now.advanced(by: .seconds(7 * 86_400))

    private static func id(_ text: String) -> JokeID {
        JokeID(rawValue: text)
    }
}
