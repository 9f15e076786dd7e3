import JokesCore

/// The cursor of a JSON source: the position of a full sync, and its next steps.
struct JSONCursor: ServiceCursor, Equatable {
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
    var unchanged = 0
    /// The number of random requests.
    var randomRequests = 0

    private var previousPage: String?
    /// The number of items of the first page of this language, and of all its pages so far.
    private var firstCount = 0
    private var seen = 0
    /// The maximum numbers of pages and jokes of this language in its answers.
    private var pages: Int?
    private var total: Int?
    /// Of the full sync.
    private var given = 0
    private var requests = 0
    private var isIncomplete = false
    /// True if a language had fewer jokes than stated.
    private var isShort = false
    /// The value of `isShort` after the last full sync.
    private var wasShort = false

    /// True if the last full sync was complete.
    var isIdle: Bool { location == nil && !firstPages.isEmpty }

    var isPlausible: Bool {
        [randomRequests, firstCount, seen, given, requests, location?.number ?? 0, location?.taken ?? 0].allSatisfy(
            reachableNumbers.contains)
    }

    /// Returns whether a source with this number of languages can have stored it.
    func fits(languages: Int) -> Bool {
        guard let location else { return firstPages.isEmpty || firstPages.count == languages }
        return (0..<languages).contains(location.language)
            && (location.language...location.language + 1).contains(firstPages.count)
    }

    /// Forgets the last full sync.
    mutating func restart() { self = JSONCursor(wasShort: wasShort) }
}

// MARK: Steps

extension JSONCursor {
    /// The result of a page.
    struct Step {
        /// The range of jokes to store.
        var jokes = 0..<0
        var refused = 0
        var beginsFullSync = false
        var progress: SourceBatch.Progress
    }

    /// The first page of a language.
    static func firstLocation(_ language: Int, _ mapping: JSONMapping) -> Location {
        Location(language: language, number: mapping.first)
    }

    func nextLocation(_ mapping: JSONMapping) -> Location { location ?? Self.firstLocation(0, mapping) }

    /// Handles a page, and moves to the next location.
    mutating func handle(_ page: JSONPage, limit: Int?, _ mapping: JSONMapping, languages: Int) -> Step {
        var here = nextLocation(mapping)
        if here.takenOf != page.digest { (here.taken, here.takenOf) = (0, nil) }
        let isFirst = here == Self.firstLocation(here.language, mapping)
        if isFirst { beginLanguage(with: page, here.language) }
        pages = page.pages.map { max($0, pages ?? 0) } ?? pages
        total = page.total.map { max($0, total ?? 0) } ?? total
        let begins = isFirst && here.language == 0
        if !isFirst && here.taken == 0 && isRepetition(page, mapping, here) {
            isShort = isShort || endsEarly(at: here.number, mapping)
            return Step(progress: advance(from: here, to: nil, mapping, languages))
        }
        let left = min(here.taken, page.jokes.count)..<page.jokes.count
        let jokes = left.prefix(limit ?? left.count)
        given += jokes.count
        if jokes.count < left.count {
            here.taken += jokes.count
            here.takenOf = page.digest
            location = here
            return Step(jokes: jokes, beginsFullSync: begins, progress: .partial)
        }
        seen += page.itemCount
        // A refused item may be a known joke that still exists.
        isIncomplete = isIncomplete || page.isCut || page.refused > 0
        let next = locationAfter(here, page, mapping)
        if next == nil { endLanguage(of: page, here, mapping) }
        previousPage = page.digest
        let progress = advance(from: here, to: next, mapping, languages)
        return Step(jokes: jokes, refused: page.refused, beginsFullSync: begins, progress: progress)
    }

    private mutating func beginLanguage(with page: JSONPage, _ language: Int) {
        if language == 0 { restart() }
        firstPages = Array(firstPages.prefix(language)) + [page.digest]
        (previousPage, firstCount, seen) = (nil, page.itemCount, 0)
        (pages, total) = (nil, nil)
    }

    /// A language ends with this page.
    private mutating func endLanguage(of page: JSONPage, _ here: Location, _ mapping: JSONMapping) {
        // An empty language next to others may be a failure.
        isIncomplete = isIncomplete || seen == 0 && !page.isDeclaredEmpty && total != 0
        let width = mapping.strategy == .range ? mapping.size : page.itemCount > 0 ? 1 : 0
        isShort = isShort || endsEarly(at: here.number + width, mapping)
    }

    /// Returns whether the service has stated more jokes of this language than were read.
    private func endsEarly(at number: Int, _ mapping: JSONMapping) -> Bool {
        switch mapping.strategy {
        case .random: false
        case .range: number - mapping.first < total ?? 0
        case .page: pages.map { number - mapping.first < $0 } ?? (seen < total ?? 0)
        case .whole, .cursor: seen < total ?? 0
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
        var next = Location(language: here.language, number: here.number)
        switch mapping.strategy {
        case .whole, .random: return nil
        case .page:
            next.number += 1
            if page.itemCount == 0 { return nil }
            if let pages = page.pages { return next.number - mapping.first < pages ? next : nil }
            if let total = page.total { return seen < total ? next : nil }
            return page.itemCount < firstCount ? nil : next
        case .range:
            next.number += mapping.size
            if let total = page.total { return next.number - mapping.first < total ? next : nil }
            return page.itemCount == 0 ? nil : next
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
        let firstPages = given > 0 && !isMishap ? self.firstPages : []
        wasShort = isShort
        restart()
        self.firstPages = firstPages
        return isComplete ? .complete : .partial
    }
}
