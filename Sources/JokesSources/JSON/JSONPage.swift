import JSON
import JokesCore

/// An answer of a JSON source.
struct JSONPage {
    /// The maximum number of jokes of one answer.
    static let maxJokes = 100_000
    private static let maxCursorBytes = 2000

    private(set) var jokes: [FetchedJoke] = []
    /// The number of items that cannot be read as jokes.
    private(set) var refused = 0
    /// The number of jokes in other categories than the requested ones.
    private var excluded = 0
    /// True if the answer has more than `maxJokes` jokes.
    private(set) var isCut = false
    /// True if a condition of `empty` is fulfilled.
    private(set) var isDeclaredEmpty = false
    /// The total numbers of pages and jokes, if the answer states them.
    private(set) var pages: Int?
    private(set) var total: Int?
    /// The next cursor or URL; nil if there is none.
    var next: String?
    private(set) var digest = ""
    private let url: String

    var itemCount: Int { jokes.count + refused + excluded }

    /// Reads the JSON of an answer. `url` is its name in messages. Errors do not quote it. Only jokes in the lowercase
    /// categories are kept, unless the list is empty. Jokes that state no language have `language`.
    init(
        _ root: JSONValue, from url: String, _ mapping: JSONMapping, categories: [String] = [], language: String? = nil
    ) async throws(SourceError) {
        self.url = url
        for condition in mapping.error where try holds(condition, root) {
            throw SourceError(.upstreamError, "\(url) returned an error (condition \(condition.pointer))")
        }
        for condition in mapping.empty where try holds(condition, root) { isDeclaredEmpty = true }
        if let pointer = mapping.pages { pages = try value(at: pointer, root)?.naturalNumber }
        if let pointer = mapping.total { total = try value(at: pointer, root)?.naturalNumber }
        if let pointer = mapping.next { next = try cursor(at: pointer, root) }
        if !isDeclaredEmpty {
            let items = try items(at: mapping.items, of: root)
            try await read(items, JSONItemReader(mapping: mapping), categories, language)
        }
        digest = SHA256.shortDigest(of: Array("\(digest) \(refused) \(pages ?? -1) \(total ?? -1)".utf8))
    }

    // MARK: Items

    /// Returns lists of items, or items.
    private func items(at pointer: JSONPointer, of root: JSONValue) throws(SourceError) -> [JSONValue] {
        let values = try values(at: pointer, root, atMost: Self.maxJokes)
        if values.isEmpty { throw SourceError(.unreadable, "\(url) returned JSON without \(pointer)") }
        let items = Self.items(among: values)
        if items.isEmpty && !values.contains(where: \.isNull) {
            throw SourceError(.unreadable, "\(url) returned JSON in which \(pointer) has no jokes")
        }
        return items
    }

    /// Returns the values of a pointer that have jokes: lists of objects, or other lists if there are none, or else
    /// objects and texts.
    static func items(among values: [JSONValue]) -> [JSONValue] {
        let lists = values.filter { $0.kind == .array }
        if lists.isEmpty { return values.filter { $0.kind == .object || $0.kind == .string } }
        let listsOfObjects = lists.filter { $0.elements.contains { $0.kind == .object } }
        return listsOfObjects.isEmpty ? lists : listsOfObjects
    }

    /// Reads and digests the items.
    private mutating func read(
        _ items: [JSONValue], _ reader: JSONItemReader, _ categories: [String], _ language: String?
    ) async throws(SourceError) {
        var known: Set<String> = []
        (refused, isCut) = try await readItems(items, of: url, atMost: Self.maxJokes) { item in
            guard var joke = try? reader.joke(item) else { return false }
            joke.language = joke.language ?? language
            digest = shortDigest(of: joke, after: digest)
            if !categories.isEmpty { known.formUnion(joke.categories) }
            if !joke.isIn(categories) {
                excluded += 1
                return true
            }
            // A long list that grows by doubling would be in memory twice. Unused memory takes none.
            if jokes.count == 4096 { jokes.reserveCapacity(Self.maxJokes) }
            jokes.append(joke)
            return true
        }
        if !known.isEmpty { try check(categories, known: known.sorted(), of: url) }
    }

    // MARK: Single values

    private func values(
        at pointer: JSONPointer, _ root: JSONValue, atMost limit: Int = JSONPointer.maxValues
    ) throws(SourceError) -> [JSONValue] {
        do throws(JSONPointer.NoClearValue) {
            return try pointer.values(in: root, atMost: limit)
        } catch {
            let times = error == .ambiguous ? "twice" : "more than \(limit) times"
            throw SourceError(.unreadable, "\(url) returned JSON in which \(pointer) occurs \(times)")
        }
    }

    /// Returns the value at a pointer; nil if it is absent or null.
    private func value(at pointer: JSONPointer, _ root: JSONValue) throws(SourceError) -> JSONValue? {
        try values(at: pointer, root).first { !$0.isNull }
    }

    private func holds(_ condition: JSONCondition, _ root: JSONValue) throws(SourceError) -> Bool {
        let value = try value(at: condition.pointer, root)
        return switch condition.test {
        case .equals(let expected): isEqual(value, expected)
        case .differs(let expected): !isEqual(value, expected)
        }
    }

    private func isEqual(_ value: JSONValue?, _ expected: JSONCondition.Value) -> Bool {
        switch expected {
        case .null: value == nil
        case .bool(let expected): value?.bool == expected
        case .number(let expected): value?.number.flatMap { Double($0) } == expected
        case .string(let expected): value?.string == expected
        }
    }

    private func cursor(at pointer: JSONPointer, _ root: JSONValue) throws(SourceError) -> String? {
        guard let value = try value(at: pointer, root), value.bool != false else { return nil }
        guard let cursor = value.string ?? value.number, cursor.utf8.count <= Self.maxCursorBytes else {
            throw SourceError(.unreadable, "\(url) returned JSON in which \(pointer) is not a usable cursor or URL")
        }
        return cursor.nonEmpty
    }
}

/// Returns 64 bits of a digest of a joke and the digest of those before it.
private func shortDigest(of joke: FetchedJoke, after previous: String) -> String {
    let fields = [joke.upstreamID, joke.setup, joke.punchline, joke.safety?.rawValue, joke.language]
    let texts = [previous] + (fields + joke.details.values).map { $0 ?? "" } + joke.categories + [""] + joke.flags
    return SHA256.shortDigest(of: Array(texts.joined(separator: "\0").utf8))
}
