import SQLite

/// The keys of the jokes of a pass, while one of its batches is stored. Lists descend by key.
///
/// A pass begins at the top of a block of free keys above all others. Each batch gets the keys below those of the previous
/// batch (docs/decisions/0026).
struct Pass {
    /// The number of keys of a block, more than the largest cache has jokes (`cache.maxJokes`). A pass that has used all
    /// of them continues in another block, above all jokes.
    private static let blockSize: Int64 = 1 << 20

    private let part: BatchPart
    private let stored: (key: Int64?, isInAnswer: Bool)
    /// The smallest key of the previous batches; nil if they have no key.
    private var previousKey: Int64?
    /// The smallest key of this batch; nil if it has no key.
    private var batchKey: Int64?

    /// Reads the state of the pass, or begins a pass with this batch.
    init(of source: Int64, part: BatchPart, _ connection: Connection) throws {
        self.part = part
        let stored = try connection.prepare("SELECT pass_key, is_in_answer FROM sources WHERE key = ?")
            .first(source) { row in try (key: row.read(0, as: Int64?.self), isInAnswer: row.read(1, as: Bool.self)) }
        self.stored = stored ?? (nil, false)
        previousKey = part.beginsPass ? nil : self.stored.key
    }

    /// True if the last pass was interrupted within an answer, which was probably requested again.
    var canResume: Bool { part.beginsPass && stored.isInAnswer }

    /// Continues the interrupted pass.
    mutating func resume() { previousKey = stored.key }

    /// Takes keys for the next older jokes of the pass, and returns the smallest one.
    mutating func takeKeys(_ count: Int, _ connection: Connection) throws -> Int64 {
        let below = try previousKey.map { $0 - Int64(count) }.flatMap { try connection.areFree($0, count) ? $0 : nil }
        let key = try below ?? Self.newestKeys(count, connection)
        batchKey = key
        return key
    }

    /// Returns the smallest of the keys at the top of a block above all other keys.
    static func newestKeys(_ count: Int, _ connection: Connection) throws -> Int64 {
        try connection.newestKey() + 1 + max(0, blockSize - Int64(count))
    }

    /// Stores the state of the pass after this batch.
    func store(of source: Int64, hasNewJokes: Bool, _ connection: Connection) throws {
        let key = hasNewJokes ? batchKey : previousKey
        let isInAnswer = key != nil && !part.endsAnswer
        if (key, isInAnswer) == stored { return }
        try connection.prepare("UPDATE sources SET pass_key = ?, is_in_answer = ? WHERE key = ?")
            .run(key, isInAnswer, source)
    }
}

extension Connection {
    /// Returns the largest key of jokes; 0 if there is none. Also counts the keys of passes whose jokes were removed.
    func newestKey() throws -> Int64 {
        let keys = "SELECT max(key) AS key FROM jokes UNION ALL SELECT max(pass_key) FROM sources"
        return try Int64(number("SELECT ifnull(max(key), 0) FROM (\(keys))"))
    }

    /// Returns true if `count` keys, beginning with `first`, are positive and no joke has them.
    fileprivate func areFree(_ first: Int64, _ count: Int) throws -> Bool {
        guard first > 0 else { return false }
        let jokes = try prepare("SELECT 1 FROM jokes WHERE key >= ?1 AND key < ?1 + ?2")
        return try jokes.first(first, count) { _ in true } == nil
    }
}
