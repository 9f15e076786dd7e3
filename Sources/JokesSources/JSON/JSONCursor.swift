import JokesCore

/// The cursor of a JSON source: the position of a full sync, and its next steps.
struct JSONCursor: ServiceCursor {
    /// The next request.
    struct Location: Codable, Equatable {
        /// The index of the language; 0 without languages.
        var language = 0
        /// The number of the page, or the start of the range.
        var number: Int
        /// The cursor or URL from the last answer; nil for the first page.
        var next: String?
        /// The number of jokes of the page that were returned already, because of a limit, and the digest of the page.
        var taken = 0
        var takenOf: String?
    }

    /// The maximum number of requests of a full sync.
    private static let maxRequests = 2_000

    /// The next request; nil if no full sync is active.
    private(set) var location: Location?
    /// The digest of each language's first page.
    private(set) var firstPages: [String] = []
    /// If the jokes are random, the number of requests.
    var unchanged = 0

    private var previousPage: String?
    /// The number of items of the first page of this language, and of all its pages so far.
    private var firstCount = 0
    private var seen = 0
    /// The numbers of pages and jokes that the first page of this language states.
    private var pages: Int?
    private var total: Int?
    /// Of the full sync.
    private var given = 0
    private var requests = 0
    private var isIncomplete = false
    /// True if a language had fewer jokes than stated, or has stated other numbers meanwhile.
    private var isShort = false
    /// The value of `isShort` after the last full sync.
    private var wasShort = false

    /// True if the last full sync was complete.
    var isIdle: Bool { location == nil && !firstPages.isEmpty }

    var isPlausible: Bool {
        [firstCount, seen, given, requests, location?.number ?? 0, location?.taken ?? 0].allSatisfy(
            reachableNumbers.contains)
    }

    /// Returns whether a source with this number of languages can have stored it.
    func fits(languages: Int) -> Bool { (0..<languages).contains(location?.language ?? 0) }

    /// Forgets the last full sync.
    mutating func restart() { self = JSONCursor(wasShort: wasShort) }
}

// MARK: Steps

extension JSONCursor {
    /// The first page of a language.
    static func firstLocation(_ language: Int, _ mapping: JSONMapping) -> Location {
        Location(language: language, number: mapping.first)
    }

    func nextLocation(_ mapping: JSONMapping) -> Location { location ?? Self.firstLocation(0, mapping) }

    /// Handles a page, and moves to the next location. The caller sets the position of the batch.
    mutating func handle(_ page: JSONPage, limit: Int?, _ mapping: JSONMapping, languages: Int) -> SourceBatch {
        var here = nextLocation(mapping)
        if here.takenOf != page.digest { (here.taken, here.takenOf) = (0, nil) }
        let isFirst = here == Self.firstLocation(here.language, mapping)
        if isFirst { beginLanguage(with: page, here.language) }
        isShort = isShort || (page.pages ?? pages) != pages || (page.total ?? total) != total
        var batch = SourceBatch(position: SourcePosition(), progress: .partial)
        if !isFirst && here.taken == 0 && isRepetition(page, mapping, here) {
            isShort = isShort || statesMore(pages, total, after: here.number, mapping) == true
            batch.progress = advance(from: here, to: nil, mapping, languages)
            return batch
        }
        let left = page.jokes.dropFirst(here.taken)
        batch.jokes = Array(left.prefix(limit ?? .max))
        batch.beginsFullSync = isFirst && here.language == 0
        given += batch.jokes.count
        if batch.jokes.count < left.count {
            here.taken += batch.jokes.count
            here.takenOf = page.digest
            location = here
            return batch
        }
        batch.refused = page.refused
        seen += page.itemCount
        // A refused item may be a known joke that still exists.
        isIncomplete = isIncomplete || page.isCut || page.refused > 0
        let next = locationAfter(here, page, mapping)
        if next == nil { endLanguage(of: page, here, mapping) }
        previousPage = page.digest
        batch.progress = advance(from: here, to: next, mapping, languages)
        return batch
    }

    private mutating func beginLanguage(with page: JSONPage, _ language: Int) {
        if language == 0 { restart() }
        firstPages = Array(firstPages.prefix(language)) + [page.digest]
        (previousPage, firstCount, seen) = (nil, page.itemCount, 0)
        (pages, total) = (page.pages, page.total)
    }

    /// A language ends with this page.
    private mutating func endLanguage(of page: JSONPage, _ here: Location, _ mapping: JSONMapping) {
        // An empty language next to others may be a failure.
        isIncomplete = isIncomplete || seen == 0 && !page.isDeclaredEmpty && total != 0
        let isMissing = mapping.strategy == .page && page.itemCount == 0
        let end = here.number + (isMissing ? 0 : Self.width(mapping))
        isShort = isShort || statesMore(pages, total, after: end, mapping) == true
    }

    /// The difference between the numbers of two requests.
    private static func width(_ mapping: JSONMapping) -> Int { mapping.strategy == .range ? mapping.size : 1 }

    /// Returns whether there are more jokes of this language according to the numbers in an answer; nil without them.
    /// `number` is the next page or range.
    private func statesMore(_ pages: Int?, _ total: Int?, after number: Int, _ mapping: JSONMapping) -> Bool? {
        let count = number - mapping.first
        return switch mapping.strategy {
        case .range: total.map { count < $0 }
        case .page: pages.map { count < $0 } ?? total.map { seen < $0 }
        case .whole, .cursor, .random: total.map { seen < $0 }
        }
    }

    /// Returns whether the page is a repetition: after the end, some services return the last or the first page.
    private func isRepetition(_ page: JSONPage, _ mapping: JSONMapping, _ here: Location) -> Bool {
        // Ids may have gaps wider than two ranges.
        if mapping.strategy == .range && page.itemCount == 0 { return false }
        return page.digest == previousPage || page.digest == firstPages.dropFirst(here.language).first
    }

    /// Returns the location after a page in the same language; nil if there is none.
    private func locationAfter(_ here: Location, _ page: JSONPage, _ mapping: JSONMapping) -> Location? {
        var next = Location(language: here.language, number: here.number + Self.width(mapping))
        let statesMore = statesMore(page.pages, page.total, after: next.number, mapping)
        switch mapping.strategy {
        case .whole, .random: return nil
        case .page: return page.itemCount > 0 && (statesMore ?? (page.itemCount >= firstCount)) ? next : nil
        case .range: return statesMore ?? (page.itemCount > 0) ? next : nil
        case .cursor:
            next.next = page.next
            return page.next == nil || page.next == here.next ? nil : next
        }
    }

    /// Moves to a location, or to the next language, or ends.
    private mutating func advance(
        from here: Location, to next: Location?, _ mapping: JSONMapping, _ languages: Int
    ) -> SourceBatch.Progress {
        requests += 1
        let isCut = requests >= Self.maxRequests
        if isCut { isIncomplete = true }
        let nextLanguage = here.language + 1
        location = isCut ? nil : next ?? (nextLanguage < languages ? Self.firstLocation(nextLanguage, mapping) : nil)
        return location == nil ? end() : .more
    }

    private mutating func end() -> SourceBatch.Progress {
        // An empty answer does not mean that known jokes were removed.
        let isComplete = !isIncomplete && !isShort && given > 0
        // After an early end, the next sync begins again. If it happens twice, the service counts differently.
        let isMishap = isShort && !wasShort
        self = JSONCursor(firstPages: given > 0 && !isMishap ? firstPages : [], wasShort: isShort)
        return isComplete ? .complete : .partial
    }
}
