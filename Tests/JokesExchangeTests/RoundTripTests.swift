import JokesCore
import JokesExchange
import TestSupport
import Testing

/// Records are read back as they were written.
@Suite struct RoundTripTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_123_456)

    private func imported(_ text: String, _ format: ExportFormat? = nil) throws -> [ExchangeRecord] {
        var records: [ExchangeRecord] = []
        try ImportFile(Array(text.utf8), format: format, now: Self.now).forEachRecord { records.append($0) }
        return records
    }

    @Test("the format of jokesd keeps everything, and is detected")
    func ours() throws {
        try checkProperty(
            "JSON", cases: 3000, maxSize: 8, generate: RandomRecords.make, shrink: { $0.simpler }
        ) { records in
            let text = try exported(records.all, .json)
            let read = try imported(text)
            try verify(read == records.all, "it reads back as \(read)")
            try verify(try exported(read, .json) == text, "it is not written the same")
        }
    }

    @Test("JSON Feed keeps everything of favorites and jokes, and leaves out hidden marks")
    func feed() throws {
        try checkProperty(
            "JSON Feed", cases: 3000, maxSize: 8, generate: RandomRecords.make, shrink: { $0.simpler }
        ) { records in
            let text = try exported(records.all, .jsonfeed)
            let read = try imported(text)
            let expected = records.favorites.map(ExchangeRecord.favorite) + records.jokes.map(ExchangeRecord.joke)
            try verify(read == expected, "it reads back as \(read)")
            try verify(try exported(read, .jsonfeed) == text, "it is not written the same")
        }
    }

    @Test("a fortune file keeps the texts, whatever lines they have, and which jokes are favorites")
    func fortune() throws {
        try checkProperty(
            "fortune", cases: 3000, maxSize: 8, generate: RandomRecords.make, shrink: { $0.simpler }
        ) { records in
            let text = try exported(records.all, .fortune)
            let read = try imported(text, .fortune)
            let texts = [records.favorites.map(\.content.text), records.jokes.map(\.content.text)].map {
                $0.map(joined)
            }
            let (favorites, jokes) = (read.compactMap(\.favorite), read.compactMap(\.joke))
            let found = [favorites.map(\.content.text), jokes.map(\.content.text)].map { $0.map(joined) }
            try verify(found == texts, "it reads back as \(read)")
            try verify(
                favorites.allSatisfy { $0.content.safety == .unknown && $0.favoritedAt == Self.now }, "marks")
            try verify(try exported(read, .fortune) == text, "it is not written the same")
        }
    }

    @Test(
        "a joke is left out only if the file has it as a favorite, even if the joke itself is a favorite or not",
        arguments: [ExportFormat.jsonfeed, .fortune])
    func onceEach(format: ExportFormat) throws {
        let contents = (0..<3).map { JokeContent(text: .single("Duck \($0)."), language: "en", safety: .safe) }
        let favorite = Favorite(id: JokeID(rawValue: "a:0"), content: contents[0], favoritedAt: Self.now)
        // A duplicate of the favorite; a favorite that was added later; a joke that never was one.
        let jokes = zip(contents, [false, true, false]).map { content, isFavorite in
            Joke(id: JokeID(rawValue: "b:1"), content: content, isFavorite: isFavorite, firstSeen: Self.now)
        }
        let text = try exported([.favorite(favorite)] + jokes.map(ExchangeRecord.joke), format)
        #expect(try imported(text, format).count == 3)
        for content in contents { #expect(text.contains(content.text.setup)) }
    }

    @Test("without jokes, an export has no list of them; an empty one is complete", arguments: ExportFormat.importable)
    func empty(format: ExportFormat) throws {
        for jokes in [false, true] {
            let text = try exported([], format, jokes: jokes)
            #expect(try imported(text, format) == [])
            #expect(text.contains("\"jokes\"") == (jokes && format == .json))
        }
    }

    private func joined(_ text: JokeText) -> String {
        [text.setup, text.punchline].compactMap(\.self).joined(separator: "\n")
    }
}

extension ExchangeRecord {
    fileprivate var favorite: Favorite? { if case .favorite(let favorite) = self { favorite } else { nil } }
    fileprivate var joke: Joke? { if case .joke(let joke) = self { joke } else { nil } }
}
