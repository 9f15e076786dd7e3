import HTTP
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

/// The answer to `/info`.
struct JokeAPIInfo: Decodable {
    struct Jokes: Decodable {
        let totalCount: NumberOrText?
        let categories: LossyArray<String>
        let idRange: [String: IDRange]
        let safeJokes: LossyArray<SafeCount>?
    }

    /// `[0, 318]`, or `[0, -1]` for none; nil for other values.
    struct IDRange: Decodable {
        let last: Int?

        init(from decoder: any Decoder) throws {
            let ends = try? [Int](from: decoder)
            last = ends.flatMap { $0.count == 2 && $0[0] >= 0 ? $0[1] : nil }
        }
    }

    struct SafeCount: Decodable {
        let lang: String
        let count: Int
    }

    let version: String?
    let jokes: Jokes

    /// Returns the content of the languages. Throws if the service lacks one, has no jokes, or states an implausible ID.
    func catalog(of languages: [String], maxID: Int, _ answer: HTTPResponse) throws(SourceError) -> JokeAPICatalog {
        var lastIDs: [Int] = []
        for language in languages {
            guard isPlainWord(language), let range = jokes.idRange[language] else {
                throw SourceError(
                    .misconfigured,
                    "\(answer.redactedURL) has no jokes in '\(language)': use one of "
                        + jokes.idRange.keys.sorted().joined(separator: ", "))
            }
            guard let last = range.last, last <= maxID else {
                throw SourceError(.unreadable, "\(answer.redactedURL) returned no joke count for \(language)")
            }
            lastIDs.append(max(last, -1))
        }
        guard lastIDs.contains(where: { $0 >= 0 }) else {
            throw SourceError(
                .empty, "\(answer.redactedURL) has no jokes in \(languages.joined(separator: ", ")) at the moment")
        }
        let safe = languages.map { language in jokes.safeJokes?.elements.first { $0.lang == language }?.count }
        return JokeAPICatalog(version: version, total: jokes.totalCount?.number, lastIDs: lastIDs, safe: safe)
    }
}

extension ErrorBody {
    /// True if JokeAPI only says that no joke matches. It uses the same code for requests that it cannot answer. One of
    /// those can occur: a range of IDs that is invalid because the catalog has become shorter.
    var saysThatNoJokeMatches: Bool {
        guard code?.number == 106 else { return false }
        let detail = detail ?? ""
        return !detail.hasPrefix("The specified ") || detail.hasPrefix("The specified ID range ")
    }
}

/// The jokes of an answer: a list, or a single joke as the answer.
struct JokeAPIPage: Decodable {
    struct Item: Decodable {
        let id: NumberOrText
        let category: String
        let lang: String?
        private let type: String
        private let joke: String?
        private let setup: String?
        private let delivery: String?
        private let flags: [String: Bool]?
        private let safe: Bool?

        /// Returns the joke; nil if a part is missing.
        func fetched(in language: String) -> FetchedJoke? {
            let isTwoPart = type == "twopart"
            guard isTwoPart || type == "single", let setup = isTwoPart ? setup : joke, !isTwoPart || delivery != nil,
                let number = id.number
            else { return nil }
            return FetchedJoke(
                upstreamID: "\(language):\(number)", setup: setup, punchline: isTwoPart ? delivery : nil,
                language: language, categories: [category], flags: (flags ?? [:]).filter(\.value).keys.sorted(),
                safety: safety(in: language))
        }

        /// The service rates some jokes of its category Dark safe, although its own safe mode excludes the category.
        private func safety(in language: String) -> Safety? {
            if category.lowercased() == "dark" || safe == false { return .unsafe }
            return safe == true && SourceKind.jokeAPI.traits.ratedLanguages.contains(language) ? .safe : nil
        }
    }

    private enum Key: String, CodingKey { case jokes, type }

    let items: LossyArray<Item>

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if !values.contains(.jokes) && values.contains(.type) {
            let item = try? Item(from: decoder)
            items = LossyArray(elements: [item].compactMap(\.self), refused: item == nil ? 1 : 0)
        } else {
            items = try values.decode(LossyArray<Item>.self, forKey: .jokes)
        }
    }
}
