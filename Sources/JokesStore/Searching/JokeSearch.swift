import JokesCore
import SQLite

/// One page of a search, within one state of the database.
///
/// The index names candidates, newest first; their words are read here, to check what the index was not asked about, to
/// rank them and to mark them.
struct JokeSearch {
    /// So many candidates are ranked together where one word is searched for: each further word makes the next candidate
    /// dearer, since the index has to look at more jokes for it.
    private static let stretchSize = (ofOneWord: 500, atLeast: 200)

    /// After so many without a page's findings the index is asked about all.
    private static let stretchesLookedAt = 3

    /// What is shown again since a cursor was made is looked at with its stretch: so many times what a stretch has, as
    /// much as a first page may look at.
    private static let mostStretchesInOne = 4

    private struct Hit {
        let key: Int64
        let fit: Int
        /// The stretch that it was ranked in.
        let stretch: SearchStretch

        /// Whether it is given before another one of its stretch.
        func precedes(_ other: Hit) -> Bool {
            fit > other.fit || (fit == other.fit && key > other.key)
        }
    }

    private let connection: Connection
    private let splitter: WordSplitter
    private let query: SearchQuery
    private let cursor: SearchCursor?
    private let commonness: Commonness
    private let ranking: Ranking
    private var list = WordList()

    init(
        _ connection: Connection, _ splitter: WordSplitter, _ query: SearchQuery, after cursor: SearchCursor?
    ) throws {
        self.connection = connection
        self.splitter = splitter
        self.query = query
        self.cursor = cursor
        commonness =
            try cursor.map { Commonness(counts: $0.commonness) } ?? Self.commonness(of: query, connection, splitter)
        ranking = Ranking(weights: commonness.weights)
    }

    mutating func page(limit: Int) throws -> Findings {
        var hits: [Hit] = []
        var rest: ClosedRange<Int64>? = 1 ... .max
        // One more than the page has tells whether there is another one.
        let size = max(Self.stretchSize.ofOneWord / query.wordCount, Self.stretchSize.atLeast)
        if let cursor {
            let last = Hit(key: cursor.key, fit: cursor.fit, stretch: cursor.stretch)
            hits = try self.hits(again: cursor.stretch, atMost: size * Self.mostStretchesInOne)
                .filter { last.precedes($0) }
            rest = Self.below(cursor.stretch.keys)
        }
        var looked = 0
        while hits.count <= limit, let keys = rest {
            // Among the newest it was common, and before them it is not: jokes that lack it are not worth the look.
            let stretch = SearchStretch(keys: keys, asksAboutAll: looked >= Self.stretchesLookedAt)
            looked += 1
            let (found, seen) = try self.hits(in: stretch, atMost: size)
            hits += found
            rest = seen.flatMap { Self.below($0.keys) }
        }
        let total = cursor?.total ?? SearchTotal(count: hits.count, isExact: rest == nil)
        let kept = hits.prefix(limit)
        let next = hits.count > limit ? kept.last.map { place(of: $0, total) } : nil
        return Findings(rows: try kept.compactMap { try joke($0.key) }, total: total, next: next)
    }

    private func place(of hit: Hit, _ total: SearchTotal) -> SearchCursor {
        SearchCursor(
            stretch: hit.stretch, fit: hit.fit, key: hit.key, total: total, commonness: commonness.counts)
    }

    private static func below(_ keys: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        keys.lowerBound > 1 ? 1...keys.lowerBound - 1 : nil
    }

    // MARK: Candidates

    /// The hits among the newest so many candidates with these keys, best first, and the stretch that these are: nil
    /// where there is no candidate.
    private mutating func hits(
        in all: SearchStretch, atMost limit: Int
    ) throws -> (hits: [Hit], stretch: SearchStretch?) {
        var found: [(key: Int64, fit: Int)] = []
        var newest: Int64?
        var oldest: Int64 = 0
        var count = 0
        try forEachCandidate(in: all, atMost: limit) { [ranking] key, counts, length in
            if newest == nil { newest = key }
            oldest = key
            count += 1
            if let counts { found.append((key, ranking.fit(counts, length: length))) }
        }
        guard let newest else { return ([], nil) }
        // Those that were not looked at begin below; where all were, nothing does.
        let keys = (count == limit ? oldest : all.keys.lowerBound)...newest
        let stretch = SearchStretch(keys: keys, asksAboutAll: all.asksAboutAll)
        let hits = found.map { Hit(key: $0.key, fit: $0.fit, stretch: stretch) }.sorted { $0.precedes($1) }
        return (hits, stretch)
    }

    /// The hits of a stretch that was ranked before, best first.
    ///
    /// - Throws: `StoreError` with `.wrongCursor` where it has more candidates than any had that was ranked: to go
    ///   through whatever a cursor names would take as long as there are jokes.
    private mutating func hits(again stretch: SearchStretch, atMost limit: Int) throws -> [Hit] {
        let (hits, seen) = try self.hits(in: stretch, atMost: limit + 1)
        // Fewer would have reached its beginning.
        if let seen, seen.keys.lowerBound > stretch.keys.lowerBound {
            throw StoreError(.wrongCursor, attempt: "continue the search", reason: "the results have changed")
        }
        return hits.map { Hit(key: $0.key, fit: $0.fit, stretch: stretch) }
    }

    /// Calls the body with each candidate, newest first: how often it says each phrase, nil where it is no hit, and how
    /// many words it has.
    private mutating func forEachCandidate(
        in stretch: SearchStretch, atMost limit: Int,
        _ body: (_ key: Int64, _ counts: [Int]?, _ length: Int) -> Void
    ) throws {
        let expression = expression(asksAboutAll: stretch.asksAboutAll)
        let statement = try connection.prepare(expression == nil ? Self.allShown : Self.indexed)
        _ = try statement.first(expression, stretch.keys.lowerBound, stretch.keys.upperBound, limit) { row -> Void? in
            let (counts, length) = try self.counts(in: row)
            body(try row.read(0), counts, length)
            return nil
        }
    }

    private static let indexed = """
        SELECT j.key, j.setup, j.punchline FROM shown_words CROSS JOIN jokes j ON j.key = shown_words.rowid
        WHERE shown_words MATCH ?1 AND shown_words.rowid BETWEEN ?2 AND ?3
        ORDER BY shown_words.rowid DESC LIMIT ?4
        """

    /// Names ?1, so that it takes the same values.
    private static let allShown = """
        SELECT j.key, j.setup, j.punchline FROM groups g CROSS JOIN jokes j ON j.key = g.shown
        WHERE g.shown BETWEEN ?2 AND ?3 AND ?1 IS NULL
        ORDER BY g.shown DESC LIMIT ?4
        """

    /// What the index is asked: all but the beginnings of words that are dear to it. Nil where nothing is left.
    private func expression(asksAboutAll: Bool) -> String? {
        let wanted = query.wanted.enumerated().filter { place, phrase in
            asksAboutAll || !phrase.isPrefix || !commonness.isCommon(place)
        }
        if wanted.isEmpty { return nil }
        let unwanted = query.unwanted.filter { !$0.isPrefix }.map(\.expression)
        let all = wanted.map(\.element.expression).joined(separator: " AND ")
        return unwanted.isEmpty ? all : "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))"
    }

    // MARK: Words

    /// How often a joke, whose texts are columns 1 and 2, says each wanted phrase, and how many words it has; nil where
    /// it lacks one, or says what is unwanted.
    private mutating func counts(in row: borrowing Row) throws -> (counts: [Int]?, length: Int) {
        var counts = [Int](repeating: 0, count: query.wanted.count)
        var length = 0
        var isUnwanted = false
        for column in 1...2 {
            _ = try row.withText(column) { text in
                try list.read(text, splitter)
                length += list.words.count
                for (number, phrase) in query.wanted.enumerated() { counts[number] += phrase.count(in: list) }
                for phrase in query.unwanted where !isUnwanted { isUnwanted = phrase.count(in: list) > 0 }
            }
        }
        return (isUnwanted || counts.contains(0) ? nil : counts, length)
    }

    /// Looked up where something follows from it: a phrase alone weighs what it does, and is common where it is one that
    /// may go on.
    private static func commonness(
        of query: SearchQuery, _ connection: Connection, _ splitter: WordSplitter
    ) throws -> Commonness {
        var counts = [Int](repeating: 0, count: query.wanted.count)
        guard counts.count > 1 || query.wanted[0].isPrefix else { return Commonness(counts: counts) }
        var list = WordList()
        _ = try connection.prepare(allShown).first(nil as String?, 1 as Int64, Int64.max, Commonness.sampleSize) {
            row -> Void? in
            var isSaid = [Bool](repeating: false, count: counts.count)
            for column in 1...2 {
                _ = try row.withText(column) { text in
                    try list.read(text, splitter)
                    for (number, phrase) in query.wanted.enumerated() where !isSaid[number] {
                        isSaid[number] = phrase.count(in: list) > 0
                    }
                }
            }
            for number in counts.indices where isSaid[number] { counts[number] += 1 }
            return nil
        }
        return Commonness(counts: counts)
    }

    // MARK: Findings

    private mutating func joke(_ key: Int64) throws -> FoundJoke? {
        let joke = try connection.prepare(
            "SELECT \(Joke.columns) FROM jokes j JOIN groups g ON g.key = j.joke_group WHERE j.key = ?"
        ).first(key) { row in try Joke(row: row) }
        guard let joke else { return nil }
        var marks = try marks(.setup, in: joke.content.text.setup)
        if let punchline = joke.content.text.punchline { marks += try self.marks(.punchline, in: punchline) }
        return FoundJoke(joke: joke, marks: marks)
    }

    /// Where one part says what is wanted, in order; phrases that share words are one mark.
    private mutating func marks(_ part: TextStretch.Part, in text: String) throws -> [TextStretch] {
        try list.read(text, splitter)
        var merged: [Range<Int>] = []
        for place in query.wanted.flatMap({ $0.places(in: list) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, place.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                merged.append(place)
            }
        }
        return merged.map { TextStretch(part, $0) }
    }
}
