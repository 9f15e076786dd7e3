import JokesCore
import JokesExchange
import TestSupport

/// Returns a whole file, in which no character is a control character except the line feed.
func exported(_ records: [ExchangeRecord], _ format: ExportFormat, jokes: Bool = true) throws -> String {
    var writer = format.writer(holdsJokes: jokes)
    let text = try writer.begin() + records.map { try writer.text(of: $0) }.joined() + writer.end()
    let bad = text.unicodeScalars.first { $0.properties.generalCategory == .control && $0 != "\n" }
    try verify(bad == nil, "\(format) has \(bad.debugDescription)")
    return text
}

/// Random records as a cache may hold them, cleaned by the normalizer.
struct RandomRecords: CustomStringConvertible {
    var favorites: [Favorite] = []
    var hidden: [HiddenMark] = []
    var jokes: [Joke] = []

    var all: [ExchangeRecord] {
        favorites.map(ExchangeRecord.favorite) + hidden.map(ExchangeRecord.hidden) + jokes.map(ExchangeRecord.joke)
    }

    var description: String {
        "\(all)"
    }

    static func make(_ random: inout SplitMix64, size: Int) -> RandomRecords {
        var made = RandomRecords()
        for number in 0..<random.int(in: 0..<size + 1) {
            guard let (id, content) = random.joke(number) else { continue }
            switch random.int(in: 0..<3) {
            case 0:
                made.hidden.append(
                    HiddenMark(
                        fingerprint: Fingerprint(of: content.text),
                        hiddenAt: random.time()))
            case 1:
                made.jokes.append(Joke(id: id, content: content, isFavorite: false, firstSeen: random.time()))
            default:
                let note = Favorite.note(random.chance(1, in: 2) ? random.hostileText() : "")
                made.favorites.append(
                    Favorite(
                        id: id, content: content, favoritedAt: random.time(), firstSeen: random.time(),
                        note: note?.isEmpty == false ? note : nil))
            }
        }
        return made
    }

    /// Simpler records, with fewer members.
    var simpler: [RandomRecords] {
        favorites.indices.map { index in
            var less = self
            less.favorites.remove(at: index)
            return less
        } + (jokes.isEmpty && hidden.isEmpty ? [] : [RandomRecords(favorites: favorites)])
    }
}

extension SplitMix64 {
    /// Text with everything that is difficult in some format, dirty and clean.
    mutating func hostileText() -> String {
        let pieces = [
            "a", "Why did the duck", " ", "  ", "\t", "\n", "\n\n", "%", "\n%\n", "\n%", "%\n", "% ", "%%", "\r\n",
            "\"", "\\", "/", "'",
            "<b>", "&amp;", "]]>", "{", "}", "[", ",", ":", "Q: what", "A: that", "é", "e\u{301}", "ß", "日本", "🦆", "👩‍👩‍👧",
            "\u{2028}", "\u{2029}", "\u{85}", "\u{0}", "\u{7}", "\u{8}", "x\u{8}x", "\u{1B}[31m", "\u{1B}]0;t\u{7}",
            "\u{7F}",
            "\u{9B}", "\u{202E}", "\u{200B}", "\u{FEFF}", "\u{FFFD}", "null", "0", "-", "…",
        ]
        return (0..<int(in: 1..<12)).map { _ in pieces[int(in: 0..<pieces.count)] }.joined()
    }

    /// A time in the years that have a text form.
    mutating func time() -> Timestamp {
        let last = Timestamp.inFourDigitYears.upperBound.microseconds
        switch int(in: 0..<8) {
        case 0: return Timestamp(microseconds: 0)
        case 1: return Timestamp(microseconds: last)
        case 2: return Timestamp(microseconds: Int64.random(in: 0...last, using: &self) / 1_000_000 * 1_000_000)
        default: return Timestamp(microseconds: Int64.random(in: 0...last, using: &self))
        }
    }

    /// A normalized joke; nil if the normalizer refuses it.
    mutating func joke(_ number: Int) -> (JokeID, JokeContent)? {
        let isLong = chance(1, in: 40)
        let padding = isLong ? String(repeating: "long ", count: 1600 + int(in: 0..<40)) : ""
        let fetched = FetchedJoke(
            upstreamID: [nil, "\(number)", "en:\(number)/\"x\\'", "~\(number)", "%", "https://x.test/?a=\(number)&b"][
                int(in: 0..<6)],
            setup: padding + hostileText() + " \(number)", punchline: chance(1, in: 2) ? hostileText() : nil,
            language: [nil, "en", "de-AT", "und", "malformed language"][int(in: 0..<5)],
            categories: (0..<int(in: 0..<4)).map { _ in hostileText() },
            flags: chance(1, in: 4) ? ["nsfw", "explicit"] : [],
            safety: [nil, .safe, .unsafe, .unknown][int(in: 0..<4)],
            details: JokeDetails(
                url: [nil, "https://jokes.test/\(number)?q=\"a\"", "gopher://x", hostileText()][int(in: 0..<4)],
                author: chance(1, in: 2) ? hostileText() + ", B." : nil,
                date: [nil, "2026-02-28T09:30:00+01:00", "28 February", hostileText()][int(in: 0..<4)]))
        guard let joke = try? Normalizer(source: "test-\(number % 3)").normalize(fetched) else { return nil }
        return (joke.id, joke.content)
    }
}
