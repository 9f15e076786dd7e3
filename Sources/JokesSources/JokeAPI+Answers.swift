import HTTP
import JSON
import JokesCore

/// The part of `/info` that shows changes.
struct JokeAPICatalog: Codable, Equatable {
    /// The version of the service, whose releases have new and changed jokes.
    var version: String?
    var total: Int?
    /// The highest ID of each requested language; -1 for none.
    var lastIDs: [Int]
    /// The number of safe jokes of each language, which shows changed ratings.
    var safe: [Int?]
}

extension JokeAPICatalog {
    /// Reads the answer to `/info`. Throws if the service lacks a category or a language, has no jokes, or states an
    /// implausible ID.
    init(
        _ answer: HTTPResponse, languages: [String], categories: [String], maxID: Int
    ) async throws(SourceError) {
        let root = try await answer.jsonRoot
        guard let jokes = root.optionalMember("jokes"), let known = jokes.optionalMember("categories"),
            let ranges = jokes.optionalMember("idRange"), known.kind == .array, ranges.kind == .object
        else { throw answer.unexpectedShape }
        try check(categories, known: known.elements.compactMap(\.string), of: answer.redactedURL)
        lastIDs = []
        for language in languages {
            guard let range = ranges.member(language) else {
                throw SourceError(
                    .misconfigured,
                    "\(answer.redactedURL) has no jokes in '\(language)': use one of "
                        + ranges.members.compactMap { $0.name.string }.sorted().joined(separator: ", "))
            }
            // `[0, 318]`, or `[0, -1]` for none.
            let ends = range.elements.map { $0.integer(as: Int.self) }
            guard ends.count == 2, let first = ends[0], first >= 0, let last = ends[1], last <= maxID else {
                throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count for \(language)")
            }
            lastIDs.append(max(last, -1))
        }
        guard lastIDs.contains(where: { $0 >= 0 }) else {
            throw SourceError(
                .empty, "\(answer.redactedURL) has no jokes in \(languages.joined(separator: ", ")) at the moment")
        }
        version = root.optionalText("version")
        total = jokes.optionalMember("totalCount")?.naturalNumber
        let counts = jokes.optionalMember("safeJokes")
        safe = languages.map { language in
            let count = counts?.elements.first { $0.optionalText("lang") == language }
            return count?.optionalMember("count")?.naturalNumber
        }
    }
}

extension ErrorBody {
    /// True if JokeAPI only says that no joke matches. It uses the same code for requests that it cannot answer. One of
    /// those can occur: a range of IDs that is invalid because the catalog has become shorter.
    var saysThatNoJokeMatches: Bool {
        guard code == 106 else { return false }
        let detail = detail ?? ""
        return !detail.hasPrefix("The specified ") || detail.hasPrefix("The specified ID range ")
    }
}

/// A joke in an answer.
struct JokeAPIItem {
    let id: Int
    let category: String
    let joke: FetchedJoke

    /// Returns nil if a part is missing, or if the joke is in another language than the requested one.
    init?(_ item: JSONValue, in language: String) throws(JSONError) {
        let type = try item.text("type")
        let isTwoPart = type == "twopart"
        guard isTwoPart || type == "single", let id = item.optionalMember("id")?.naturalNumber,
            let category = try item.text("category"), let setup = try item.text(isTwoPart ? "setup" : "joke"),
            (try item.text("lang") ?? language).lowercased() == language
        else { return nil }
        let punchline = isTwoPart ? try item.text("delivery") : nil
        let (flags, safe) = (try item.knownMember("flags"), try item.knownMember("safe"))
        let isReadable = flags.map { $0.kind == .object && $0.members.allSatisfy { $0.value.kind == .bool } } ?? true
        guard isTwoPart == (punchline != nil), isReadable, safe.map({ $0.kind == .bool }) ?? true else { return nil }
        (self.id, self.category) = (id, category)
        joke = FetchedJoke(
            upstreamID: "\(language):\(id)", setup: setup, punchline: punchline, language: language,
            categories: [category],
            flags: flags?.members.filter { $0.value.bool == true }.compactMap { $0.name.string }.sorted() ?? [],
            safety: Self.safety(of: category, safe?.bool, in: language))
    }

    /// The service rates some jokes of its category Dark safe, although its own safe mode excludes the category.
    private static func safety(of category: String, _ safe: Bool?, in language: String) -> Safety? {
        if category.lowercased() == "dark" || safe == false { return .unsafe }
        return safe == true && SourceKind.jokeAPI.traits.ratedLanguages.contains(language) ? .safe : nil
    }
}
