import JokesCore

/// Where the sweep of a JSON source stands between two requests, and how it goes on from what an answer holds. Pure.
///
/// This is what the store keeps as the source's cursor.
struct JSONSweep: ServiceCursor, Equatable {
    /// What is asked next.
    struct Place: Codable, Equatable {
        /// Position among the languages, which come one after the other; 0 where there are none.
        var language = 0
        /// Of the page, or where the range begins.
        var number: Int
        /// The cursor or URL that the answer before gave; nil at the first page.
        var next: String?
        /// How many jokes of the page were given already, where a limit cut it, and the digest of that page.
        var taken = 0
        var takenOf: String?
    }

    /// A sweep ends after so many requests, whatever the upstream says.
    static let mostRequests = 2_000

    /// Where the sweep goes on; nil between sweeps.
    private(set) var place: Place?
    /// The digest of each language's first page.
    private(set) var firstPages: [String] = []
    var unchanged = 0
    /// How many draws were made, of a source that draws.
    var draws = 0

    private var previousPage: String?
    /// How many items the first page of this language had, and how many all its pages so far.
    private var firstCount = 0
    private var seen = 0
    /// The most pages and jokes of this language that any of its answers spoke of.
    private var pages: Int?
    private var total: Int?
    /// Of the whole sweep.
    private var given = 0
    private var requests = 0
    private var isIncomplete = false
    /// Whether a language ended before all that was spoken of, and whether the sweep before this one did so, too.
    private var isShort = false
    private var wasShort = false

    /// Whether the last sweep came to its end.
    var isIdle: Bool {
        place == nil && !firstPages.isEmpty
    }

    var isSound: Bool {
        [draws, firstCount, seen, given, requests, place?.number ?? 0, place?.taken ?? 0]
            .allSatisfy(reachableNumbers.contains)
    }

    /// Whether a source of so many languages can have left it.
    func fits(languages: Int) -> Bool {
        guard let place else { return firstPages.isEmpty || firstPages.count == languages }
        return (0..<languages).contains(place.language)
            && (place.language...place.language + 1).contains(firstPages.count)
    }

    /// Forgets the last sweep.
    mutating func restart() {
        let wasShort = wasShort
        self = JSONSweep()
        self.wasShort = wasShort
    }
}

// MARK: Going on

extension JSONSweep {
    /// What comes of a page.
    struct Step {
        /// The jokes of the page to store, by their number.
        var jokes: Range<Int>
        var refused: Int
        var beginsSweep: Bool
        var progress: SourceBatch.Progress
    }

    /// The first page of a language.
    static func firstPlace(_ language: Int, _ mapping: JSONMapping) -> Place {
        Place(language: language, number: mapping.first)
    }

    /// Takes the page of the place where the sweep stands, and goes on to the next.
    mutating func take(_ page: JSONPage, limit: Int?, _ mapping: JSONMapping, languages: Int) -> Step {
        var here = place ?? Self.firstPlace(0, mapping)
        if here.takenOf != page.digest { (here.taken, here.takenOf) = (0, nil) }
        let isFirst = here == Self.firstPlace(here.language, mapping)
        if isFirst { beginLanguage(with: page, here.language) }
        pages = page.pages.map { max($0, pages ?? 0) } ?? pages
        total = page.total.map { max($0, total ?? 0) } ?? total
        let begins = isFirst && here.language == 0
        if !isFirst && here.taken == 0 && repeats(page, mapping, here) {
            isShort = isShort || lacks(from: here.number, mapping)
            let progress = goOn(from: here, to: nil, mapping, languages)
            return Step(jokes: 0..<0, refused: 0, beginsSweep: false, progress: progress)
        }
        let left = min(here.taken, page.jokeCount)..<page.jokeCount
        let jokes = left.prefix(limit ?? left.count)
        given += jokes.count
        if jokes.count < left.count {
            here.taken += jokes.count
            here.takenOf = page.digest
            place = here
            return Step(jokes: jokes, refused: 0, beginsSweep: begins, progress: .partial)
        }
        seen += page.itemCount
        // What was refused may have been a joke that is known, and is not gone.
        isIncomplete = isIncomplete || page.isCut || page.refused > 0
        let next = following(here, page, mapping)
        if next == nil { noteEnd(of: page, here, mapping) }
        previousPage = page.digest
        let progress = goOn(from: here, to: next, mapping, languages)
        return Step(jokes: jokes, refused: page.refused, beginsSweep: begins, progress: progress)
    }

    private mutating func beginLanguage(with page: JSONPage, _ language: Int) {
        if language == 0 { restart() }
        firstPages = Array(firstPages.prefix(language)) + [page.digest]
        (previousPage, firstCount, seen) = (nil, page.itemCount, 0)
        (pages, total) = (nil, nil)
    }

    /// A language ends with this page.
    private mutating func noteEnd(of page: JSONPage, _ here: Place, _ mapping: JSONMapping) {
        // Beside another that is well, nothing at all may be a failure.
        isIncomplete = isIncomplete || seen == 0 && !page.isDeclaredEmpty && total != 0
        let width = mapping.strategy == .range ? mapping.size : page.itemCount > 0 ? 1 : 0
        isShort = isShort || lacks(from: here.number + width, mapping)
    }

    /// Whether the upstream spoke of more in this language than has come up to a number, which is the first not read.
    private func lacks(from number: Int, _ mapping: JSONMapping) -> Bool {
        switch mapping.strategy {
        case .random: false
        case .range: number - mapping.first < total ?? 0
        case .page: pages.map { number - mapping.first < $0 } ?? (seen < total ?? 0)
        case .whole, .cursor: seen < total ?? 0
        }
    }

    /// Whether the upstream gives again what it gave: behind the end some do so with the last page, others with the first.
    private func repeats(_ page: JSONPage, _ mapping: JSONMapping, _ here: Place) -> Bool {
        // Ids may have gaps wider than two ranges.
        if mapping.strategy == .range && page.itemCount == 0 { return false }
        return page.digest == previousPage || page.digest == firstPages.dropFirst(here.language).first
    }

    /// The place behind a page in the same language; nil where that has no more.
    private func following(_ here: Place, _ page: JSONPage, _ mapping: JSONMapping) -> Place? {
        var next = Place(language: here.language, number: here.number)
        switch mapping.strategy {
        case .whole, .random:
            return nil
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

    /// Goes to a place, or where there is none to the next language, or ends.
    private mutating func goOn(
        from here: Place, to next: Place?, _ mapping: JSONMapping, _ languages: Int
    ) -> SourceBatch.Progress {
        requests += 1
        if requests >= Self.mostRequests { isIncomplete = true }
        let isLast = here.language + 1 >= languages || requests >= Self.mostRequests
        if requests < Self.mostRequests, let next {
            place = next
        } else if !isLast {
            place = Self.firstPlace(here.language + 1, mapping)
        } else {
            return end()
        }
        return .more
    }

    private mutating func end() -> SourceBatch.Progress {
        // Nothing at all says less than a joke: what is known is not missing for that.
        let isComplete = !isIncomplete && !isShort && given > 0
        // An end too early is mostly a mishap, and the next sync begins again. Twice it is how the upstream counts.
        let isMishap = isShort && !wasShort
        let firstPages = given > 0 && !isMishap ? self.firstPages : []
        wasShort = isShort
        restart()
        self.firstPages = firstPages
        return isComplete ? .complete : .partial
    }
}
