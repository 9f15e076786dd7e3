import JokesCore

/// The parts of a favorite or joke that an export for people shows. All texts are clean.
struct ReadableJoke {
    let text: JokeText
    /// The language of the text; nil if unknown.
    let language: String?
    let note: String?
    let source: String
    let author: String?
    /// The web address; nil if there is none.
    let address: String?
    /// The day in UTC when the joke became a favorite, or was first cached.
    let day: CivilDate

    init(_ favorite: Favorite) { self.init(favorite.id, favorite.content, favorite.favoritedAt, note: favorite.note) }

    init(_ joke: Joke) { self.init(joke.id, joke.content, joke.firstSeen, note: nil) }

    private init(_ id: JokeID, _ content: JokeContent, _ time: Timestamp, note: String?) {
        // A browser or an editor shows what this program writes, whichever daemon sent it.
        let setup = cleanText(content.text.setup)
        text = content.text.punchline.map { .twoPart(setup: setup, punchline: cleanText($0)) } ?? .single(setup)
        language = content.language == "und" ? nil : languageTag(content.language)
        self.note = note.map(cleanText)
        source = cleanText(String(id.source))
        author = content.author.map(cleanText)
        address = content.url.flatMap(webAddress)
        let years = Timestamp.inFourDigitYears
        let microseconds = min(max(time, years.lowerBound), years.upperBound).microseconds
        day = CivilDate(daysSince1970: Int(microseconds / 86_400_000_000))
    }

    /// The day in words: `28 Feb 2026`.
    var dayInWords: String { "\(day.day) \(CivilDate.monthNames[day.month - 1]) \(day.year)" }
}

/// Returns the web address with all characters that a URL cannot have encoded; nil for any other scheme, such as
/// `javascript`.
private func webAddress(_ raw: String) -> String? {
    let url = cleanText(raw)
    let start = url.prefix(8).lowercased()
    guard start.hasPrefix("https://") || start.hasPrefix("http://") else { return nil }
    let encodings: [Unicode.Scalar: String] = [
        "\n": "%0A", " ": "%20", "\"": "%22", "<": "%3C", ">": "%3E", "\\": "%5C", "^": "%5E", "`": "%60", "{": "%7B",
        "|": "%7C", "}": "%7D",
    ]
    return url.unicodeScalars.map { encodings[$0] ?? String($0) }.joined()
}

/// The favorites and jokes of an export for people. A joke that is a favorite is written once.
struct ReadableRecords {
    /// The sections of an export; their titles are shown if the export has jokes.
    enum Section: String {
        case favorites = "Favorites"
        case jokes = "Cached jokes"
    }

    private var favorites = WrittenFavorites()
    /// The section of the last joke; nil before the first one.
    private(set) var section: Section?
    /// The number of jokes so far.
    private(set) var count = 0

    /// Returns the joke to write, and its section if it is the first of this section; nil if the record is not shown.
    mutating func next(_ record: ExchangeRecord) -> (joke: ReadableJoke, newSection: Section?)? {
        let (joke, section): (ReadableJoke, Section)
        switch record {
        case .favorite(let favorite):
            favorites.insert(favorite)
            (joke, section) = (ReadableJoke(favorite), .favorites)
        case .joke(let cached) where !favorites.contains(cached): (joke, section) = (ReadableJoke(cached), .jokes)
        case .joke, .hidden: return nil
        }
        let isFirst = section != self.section
        self.section = section
        count += 1
        return (joke, isFirst ? section : nil)
    }
}
