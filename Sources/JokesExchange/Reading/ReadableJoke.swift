import JokesCore

/// The parts of a favorite or joke that an export for people shows. All texts are clean.
struct ReadableJoke {
    /// The title of its section. An export shows the titles if it has jokes.
    let section: String
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

    /// Nil for a hidden mark.
    init?(_ record: ExchangeRecord) {
        guard let (joke, favorite) = record.jokeWithFavorite else { return nil }
        (section, note) = (favorite == nil ? "Cached jokes" : "Favorites", favorite?.note.map(cleanText))
        let (content, time) = (joke.content, favorite?.favoritedAt ?? joke.firstSeen)
        // A browser or an editor shows what this program writes, whichever daemon sent it.
        let setup = cleanText(content.text.setup)
        text = content.text.punchline.map { .twoPart(setup: setup, punchline: cleanText($0)) } ?? .single(setup)
        language = content.language == "und" ? nil : languageTag(content.language)
        source = cleanText(String(joke.id.source))
        author = content.details.author.map(cleanText)
        address = content.details.url.flatMap(webAddress)
        let years = Timestamp.inFourDigitYears
        day = LocalClock(now: min(max(time, years.lowerBound), years.upperBound), offset: 0).date
    }

    /// The day in words: `28 Feb 2026`.
    var dayInWords: String { "\(day.day) \(CivilDate.monthNames[day.month - 1]) \(day.year)" }
}

/// Returns the web address with all characters that a URL cannot have encoded; nil for any other scheme, such as
/// `javascript`.
private func webAddress(_ raw: String) -> String? {
    let url = cleanText(raw)
    guard isWebAddress(url) else { return nil }
    let encodings: [Unicode.Scalar: String] = [
        "\n": "%0A", " ": "%20", "\"": "%22", "<": "%3C", ">": "%3E", "\\": "%5C", "^": "%5E", "`": "%60", "{": "%7B",
        "|": "%7C", "}": "%7D",
    ]
    return url.unicodeScalars.map { encodings[$0] ?? String($0) }.joined()
}
