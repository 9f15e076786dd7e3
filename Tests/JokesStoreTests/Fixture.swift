import Glibc
import JokesCore
import JokesStore
import TestSupport
import Unix

/// A state folder, and an event loop as the executor of the stores in it.
///
/// Before the loop is started, the current thread counts as the loop's thread. So a test calls its store directly, with
/// `assumeIsolated`, and each call is complete when it returns.
final class Fixture {
    let path: String
    let executor: EventLoop
    /// The owner of the folder; nil if another process created the folder.
    private let folder: TemporaryFolder?

    /// The time of each store's clock.
    static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        path = folder.path
        executor = try EventLoop()
    }

    /// Creates a folder with files, by name.
    convenience init(holding files: [String: [UInt8]]) throws {
        try self.init()
        for (name, bytes) in files { try write(bytes, to: name) }
    }

    init(path: String) throws {
        folder = nil
        self.path = path
        executor = try EventLoop()
    }

    func open(
        rules: DisplayRules = .unfiltered(sources: ["a", "b", "c"]), lockTimeout: Duration = .seconds(5),
        seed: UInt64 = testSeed
    ) throws -> JokeStore {
        try JokeStore(
            folder: path, executor: executor, rules: rules, lockTimeout: lockTimeout, clock: { Fixture.now },
            randomness: SplitMix64(seed: seed))
    }

    var databasePath: String {
        "\(path)/jokes.sqlite"
    }

    func write(_ text: String, to name: String) throws {
        try folder?.write(text, to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try folder?.write(bytes, to: name)
    }

    /// The size of the WAL in bytes; 0 if there is none.
    var walSize: Int {
        var facts = stat()
        return stat("\(databasePath)-wal", &facts) == 0 ? Int(facts.st_size) : 0
    }
}

extension JokeStore {
    /// Ingests a batch on the current thread, `hours` after `Fixture.now`.
    @discardableResult
    nonisolated func ingest(
        _ jokes: [NormalizedJoke], from source: String = "a", hours: Int = 0, part: BatchPart = .outside,
        position: SourcePosition? = nil
    ) throws -> IngestReport {
        let time = Fixture.now.advanced(by: .seconds(3600 * hours))
        return try assumeIsolated { store in
            try store.ingest(jokes, from: source, at: time, part: part, position: position)
        }
    }

    /// Adds a favorite on the current thread, `hours` after `Fixture.now`.
    @discardableResult
    nonisolated func favorite(_ id: String, note: String? = nil, hours: Int = 0) throws -> Favorite {
        let time = Fixture.now.advanced(by: .seconds(3600 * hours))
        return try assumeIsolated { store in try store.favorite(JokeID(rawValue: id), note: note, at: time) }
    }

    /// Removes a favorite on the current thread.
    @discardableResult
    nonisolated func unfavorite(_ id: String) throws -> Favorite? {
        try assumeIsolated { store in try store.unfavorite(JokeID(rawValue: id)) }
    }

    /// Hides a joke on the current thread, `hours` after `Fixture.now`.
    nonisolated func hide(_ id: String, hours: Int = 0) throws {
        let time = Fixture.now.advanced(by: .seconds(3600 * hours))
        _ = try assumeIsolated { store in try store.setHidden(true, JokeID(rawValue: id), at: time) }
    }

    /// Serves a random joke on the current thread.
    nonisolated func served(
        _ selection: JokeSelection = JokeSelection(), at time: Timestamp = Fixture.now
    ) throws -> Joke? {
        try assumeIsolated { store in try store.random(selection, at: time) }
    }

    @discardableResult
    nonisolated func marked(_ isSeen: Bool, _ ids: [JokeID]) throws -> [Bool] {
        try assumeIsolated { store in try store.setSeen(isSeen, ids) }
    }

    nonisolated func markedAll(_ selection: JokeSelection, atMost limit: Int) throws -> Int {
        try assumeIsolated { store in try store.markAllSeen(selection, atMost: limit) }
    }

    @discardableResult
    func favorite(_ id: JokeID, note: String? = nil, at time: Timestamp) throws -> Favorite {
        try favorite([id], note: note, at: time)[0]
    }

    @discardableResult
    func unfavorite(_ id: JokeID) throws -> Favorite? {
        try unfavorite([id])[0]
    }

    @discardableResult
    func setHidden(_ isHidden: Bool, _ id: JokeID, at time: Timestamp) throws -> Bool {
        try setHidden(isHidden, [id], at: time)[0]
    }
}

extension BatchPart {
    static let outside = BatchPart(isInFullSync: false)
    static let beginning = BatchPart(beginsFullSync: true)
    static let middle = BatchPart()
    static let end = BatchPart(completesFullSync: true)
    static let whole = BatchPart(beginsFullSync: true, completesFullSync: true)
}

extension IngestReport {
    init(
        new: Int = 0, unchanged: Int = 0, duplicates: Int = 0, missing: Int = 0, notCached: Int = 0
    ) {
        self.init()
        inserted = new + duplicates
        (self.new, self.unchanged, self.duplicates) = (new, unchanged, duplicates)
        (self.missing, self.notCached) = (missing, notCached)
    }
}

extension JokeReader {
    /// Returns the IDs of the shown jokes of a selection, newest first, at most 1,000.
    func shownIDs(_ selection: JokeSelection = JokeSelection()) throws -> [String] {
        try list(selection, limit: 1_000).rows.map(\.id.rawValue)
    }

    func favoriteIDs() throws -> [String] {
        try favorites().map(\.id.rawValue)
    }
}

extension DisplayRules {
    /// Returns rules with these sources, in this order, and without filters.
    static func unfiltered(sources: [String]) -> DisplayRules {
        DisplayRules(sourceOrder: sources, filter: JokeFilter(safe: false, maxLength: nil))
    }
}

/// Returns a normalized joke. For the ID `~`, the normalizer derives the ID from the text.
func joke(
    _ source: String, _ id: String, _ setup: String, _ punchline: String? = nil, categories: [String] = [],
    flags: [String] = [], language: String = "en", safety: Safety = .safe
) throws -> NormalizedJoke {
    try Normalizer(source: source).normalize(
        FetchedJoke(
            upstreamID: id == "~" ? nil : id, setup: setup, punchline: punchline, language: language,
            categories: categories, flags: flags, safety: safety))
}

/// Returns different jokes, `a:0` and so on.
func jokes(_ range: Range<Int>, from source: String = "a", categories: [String] = []) throws -> [NormalizedJoke] {
    try range.map { number in
        try joke(
            source, "\(number)", "Why did duck \(source)\(number) cross?", "Side \(number).", categories: categories)
    }
}

extension Collection {
    /// Returns the elements in arrays of this size, the last of which may be smaller.
    func slices(of size: Int) -> [[Element]] {
        let all = Array(self)
        return stride(from: 0, to: all.count, by: size).map { Array(all[$0..<Swift.min($0 + size, all.count)]) }
    }
}

/// The base of suites whose tests start with an empty store and its reader.
class StoreTestCase {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }
}
