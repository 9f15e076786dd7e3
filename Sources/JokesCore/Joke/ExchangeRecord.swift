/// A record of an export. Its own coding is for the spool of an import, not for messages or files.
package enum ExchangeRecord: Codable, Hashable, Sendable {
    case favorite(Favorite)
    case hidden(HiddenMark)
    /// A joke of a source, without the information if it is a favorite.
    case joke(Joke)

    /// The reason that a record is not imported: a part of a sentence, without text of the record.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }
    }

    /// Returns the record to import: cleaned, with an ID that fits its text. A record of an export stays unchanged.
    package func checked() throws(Refusal) -> ExchangeRecord {
        switch self {
        case .favorite(let favorite):
            let joke = try normalized(favorite.id, favorite.content)
            try check(favorite.favoritedAt, favorite.firstSeen)
            return .favorite(
                Favorite(
                    id: joke.id, content: joke.content, favoritedAt: favorite.favoritedAt,
                    firstSeen: favorite.firstSeen, note: try checkedNote(favorite.note)))
        case .hidden(let mark):
            try check(mark.hiddenAt)
            return self
        case .joke(let joke):
            let normalized = try normalized(joke.id, joke.content)
            try check(joke.firstSeen)
            return .joke(
                Joke(id: normalized.id, content: normalized.content, isFavorite: false, firstSeen: joke.firstSeen))
        }
    }
}

private func normalized(_ id: JokeID, _ content: JokeContent) throws(ExchangeRecord.Refusal) -> NormalizedJoke {
    let source = String(id.source)
    guard SourceConfiguration.isName(source) else {
        throw ExchangeRecord.Refusal("the ID does not start with a source name and a colon")
    }
    let fetched = FetchedJoke(
        upstreamID: String(id.rawValue.utf8.dropFirst(source.utf8.count + 1)), setup: content.text.setup,
        punchline: content.text.punchline, language: content.language, categories: content.categories,
        flags: content.flags.names, safety: content.safety, details: content.details)
    do throws(Rejection) {
        return try Normalizer(source: source).normalize(fetched)
    } catch {
        switch error {
        case .empty: throw ExchangeRecord.Refusal("the text is empty")
        case .tooLong: throw ExchangeRecord.Refusal("the text is longer than \(Normalizer.maxBytes) bytes")
        }
    }
}

private func checkedNote(_ raw: String?) throws(ExchangeRecord.Refusal) -> String? {
    guard let note = Favorite.note(raw ?? "") else {
        throw ExchangeRecord.Refusal("the note is longer than \(Favorite.maxNoteLength) characters")
    }
    return note.isEmpty ? nil : note
}

private func check(_ times: Timestamp...) throws(ExchangeRecord.Refusal) {
    guard times.allSatisfy(Timestamp.inFourDigitYears.contains) else {
        throw ExchangeRecord.Refusal("a time is outside the years 1970 to 9999")
    }
}
