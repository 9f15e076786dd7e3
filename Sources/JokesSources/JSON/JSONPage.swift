import JokesCore

/// What one answer of a JSON source holds.
struct JSONPage {
    /// So many jokes of one answer are taken at most.
    static let mostJokes = 100_000
    private static let longestCursor = 2000

    private(set) var jokes: [FetchedJoke] = []
    /// Items that are none that can be read.
    private(set) var refused = 0
    /// Whether it has more jokes than are taken.
    private(set) var isCut = false
    /// Whether a condition says that it has no jokes.
    private(set) var isDeclaredEmpty = false
    /// How many pages and how many jokes there are in all, where it says so.
    private(set) var pages: Int?
    private(set) var total: Int?
    /// The next cursor or URL; nil where there is none.
    var next: String?
    /// Tells this page from others by what was read of it.
    private(set) var digest = ""
    private let place: String

    var itemCount: Int { jokes.count + refused }

    /// Reads the JSON of an answer, which is called `place` in complaints.
    ///
    /// - Throws: `SourceError` where the answer as a whole is not what it should be, and where the task is cancelled. Nothing
    ///   of the answer is quoted.
    init(_ root: JSONValue, from place: String, _ mapping: JSONMapping) throws(SourceError) {
        self.place = place
        for condition in mapping.error where try holds(condition, root) {
            throw SourceError(.upstreamError, "\(place) returned an error (condition \(condition.pointer))")
        }
        for condition in mapping.empty where try holds(condition, root) { isDeclaredEmpty = true }
        if let pointer = mapping.pages { pages = try count(at: pointer, root) }
        if let pointer = mapping.total { total = try count(at: pointer, root) }
        if let pointer = mapping.next { next = try cursor(at: pointer, root) }
        if !isDeclaredEmpty { try readItems(at: mapping.items, of: root, JSONItemReader(mapping: mapping)) }
        digest = shortDigest(of: jokes, "\(refused) \(pages ?? -1) \(total ?? -1)")
    }

    // MARK: Items

    private mutating func readItems(
        at pointer: JSONPointer, of root: JSONValue, _ reader: JSONItemReader
    ) throws(SourceError) {
        guard let items = try values(at: pointer, root).first else {
            throw SourceError(.unreadable, "\(place) returned JSON without \(pointer)")
        }
        switch items.kind {
        case .array:
            items.forEachElement { item in !Task.isCancelled && take(item, reader) }
            if Task.isCancelled { throw SourceError(.cancelled, "reading \(place) was canceled") }
        case .object, .string: _ = take(items, reader)
        case .null: break
        case .bool, .number, .nonsense:
            throw SourceError(.unreadable, "\(place) returned JSON in which \(pointer) has no jokes")
        }
    }

    /// False where no more are taken.
    private mutating func take(_ item: JSONValue, _ reader: JSONItemReader) -> Bool {
        do {
            jokes.append(try reader.joke(item))
        } catch {
            refused += 1
        }
        isCut = jokes.count > Self.mostJokes
        if isCut { jokes.removeLast() }
        return !isCut
    }

    // MARK: Single values

    private func values(at pointer: JSONPointer, _ root: JSONValue) throws(SourceError) -> [JSONValue] {
        do throws(UnclearJSON) {
            return try pointer.values(in: root)
        } catch {
            let times = error == .ambiguous ? "twice" : "more than \(JSONPointer.mostValues) times"
            throw SourceError(.unreadable, "\(place) returned JSON in which \(pointer) occurs \(times)")
        }
    }

    /// What is at a place and is not null.
    private func value(at pointer: JSONPointer, _ root: JSONValue) throws(SourceError) -> JSONValue? {
        try values(at: pointer, root).first { !$0.isNull }
    }

    private func holds(_ condition: JSONCondition, _ root: JSONValue) throws(SourceError) -> Bool {
        let value = try value(at: condition.pointer, root)
        return switch condition.test {
        case .exists(let expected): (value != nil) == expected
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

    /// A number of pages or jokes; some services write it as text. What is none tells nothing.
    private func count(at pointer: JSONPointer, _ root: JSONValue) throws(SourceError) -> Int? {
        let value = try value(at: pointer, root)
        return (value?.number ?? value?.string).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private func cursor(at pointer: JSONPointer, _ root: JSONValue) throws(SourceError) -> String? {
        guard let value = try value(at: pointer, root), value.bool != false else { return nil }
        guard let cursor = value.string ?? value.number, cursor.utf8.count <= Self.longestCursor else {
            throw SourceError(
                .unreadable, "\(place) returned JSON in which \(pointer) is not a usable cursor or URL")
        }
        return cursor.isEmpty ? nil : cursor
    }
}

/// 64 bits of a digest of jokes and a text beside them.
private func shortDigest(of jokes: [FetchedJoke], _ text: String) -> String {
    // Neither byte is in UTF-8.
    let (end, absent): (UInt8, UInt8) = (0xFF, 0xFE)
    var bytes = Array(text.utf8)
    for joke in jokes {
        for field in [joke.upstreamID, joke.setup, joke.punchline, joke.language, joke.url, joke.author, joke.date] {
            if let field { bytes += field.utf8 } else { bytes.append(absent) }
            bytes.append(end)
        }
        for list in [joke.categories, joke.flags] {
            for name in list { bytes += Array(name.utf8) + [end] }
            bytes.append(absent)
        }
    }
    return shortDigest(of: bytes)
}

/// 64 bits of a SHA-256 in hexadecimal digits.
func shortDigest(of bytes: [UInt8]) -> String {
    SHA256.digest(of: bytes).prefix(8).map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
}
