import JokesCore
import SQLite

/// What of a damaged database is worth keeping, as far as it can be read: favorites with their notes, hidden marks, what
/// was told, and the recoveries that nobody has seen yet.
///
/// Rows are known by their shape, not by where the schema says they are, and believed no more than what comes from the
/// network: text is made clean, lengths and times are bounded, and fingerprints follow from the texts.
struct Salvage {
    struct Kept {
        /// Where it stands in the order in which favorites were starred.
        let key: Int64
        var joke: NormalizedJoke
        let favoritedAt: Timestamp
        let firstSeen: Timestamp
        let note: String?
        /// Whether the text is the one that its stored fingerprint was made of.
        let isSound: Bool
    }

    struct Told {
        let fingerprint: Fingerprint
        var count: Int
        var at: Timestamp?
    }

    /// In the order in which they were starred.
    private(set) var favorites: [Kept] = []
    /// How many favorites the file names without their text being there: at least so many are lost.
    private(set) var favoritesLost = 0
    private(set) var hidden: [Fingerprint: Timestamp] = [:]
    private(set) var told: [Fingerprint: Told] = [:]
    private(set) var recoveries: [Recovery] = []

    /// The newest first.
    private var found: [Kept] = []
    /// The fingerprints in the index of favorites.
    private var named: Set<Fingerprint> = []
    /// Hidden marks and entries of the index of favorites, each with its time or its key.
    private var marks: [(fingerprint: Fingerprint, number: Int64, time: Timestamp?)] = []
    /// No favorite has ever had a larger one; nil where nothing says so.
    private var largestKey: Int64?

    /// More favorites than anybody has starred; as a time, seventeen seconds after 1970 began.
    private static let usualLargestKey: Int64 = 1 << 24

    /// Reads all of a database's pages, and what SQLite does not reach in its log. O(n).
    ///
    /// What stands behind damage in the log is taken beside what was there before it and not in its place: a row may have
    /// gone to a page that is lost. So a favorite whose star was taken away behind the damage may be back, and one that
    /// was about to be starred may be there.
    init(of image: DatabaseImage, at now: Timestamp) {
        for row in image.unreachedRows() { take(row, at: now) }
        let free = image.freePages()
        for page in image.pageNumbers where !free.contains(page) {
            for row in image.rows(on: page) { take(row, at: now) }
        }
        // Its pages may have, of favorites that were acknowledged earlier, the only copy that is left.
        for row in image.doubtfulRows() where row.isFavorite { take(row, at: now) }
        settleMarks()
        settleFavorites()
    }

    // MARK: Rows

    private mutating func take(_ row: StoredRow, at now: Timestamp) {
        if row.isFavorite {
            if let kept = row.values().flatMap({ Kept($0, key: row.key ?? 0, at: now) }) { found.append(kept) }
        } else if row.isGroup {
            if let values = row.values() { takeGroup(values) }
        } else if row.isMark {
            if let values = row.values() { takeMark(values) }
        } else if row.isSequence {
            if let values = row.values() { takeLargestKey(values) }
        } else if row.key == nil, row.kinds.count == 2, row.kinds[0].isText, row.kinds[1].isText {
            guard recoveries.isEmpty, let values = row.values(), values[0] == .text(Setting.recoveries.rawValue)
            else { return }
            recoveries = Recovery.list(from: values[1].text ?? "")
        }
    }

    private mutating func takeGroup(_ values: [StoredRow.Value]) {
        guard let fingerprint = values[1].fingerprint, let count = values[5].integer, count > 0 else { return }
        let known = Told(fingerprint: fingerprint, count: Int(clamping: min(count, 1_000_000)), at: values[6].time)
        told[fingerprint] = told[fingerprint].map { $0.count > known.count ? $0 : known } ?? known
    }

    private mutating func takeMark(_ values: [StoredRow.Value]) {
        guard let fingerprint = values[0].fingerprint, let number = values[1].integer else { return }
        marks.append((fingerprint, number, values[1].time))
    }

    private mutating func takeLargestKey(_ values: [StoredRow.Value]) {
        guard values[0] == .text("favorites"), let number = values[1].integer else { return }
        largestKey = max(largestKey ?? 0, number)
    }

    /// Tells hidden marks from entries of the index of favorites: they have one shape, and times are larger than keys.
    private mutating func settleMarks() {
        let largest = max(largestKey ?? Self.usualLargestKey, found.map(\.key).max() ?? 0)
        for mark in marks {
            if mark.number <= largest {
                named.insert(mark.fingerprint)
            } else if let time = mark.time {
                hidden[mark.fingerprint] = time
            }
        }
        marks = []
    }

    // MARK: Favorites

    /// No favorite twice, no id for two: those whose text is known to be right come first.
    private mutating func settleFavorites() {
        var texts: Set<Fingerprint> = []
        var ids: Set<JokeID> = []
        let bestFirst = found.filter(\.isSound) + found.filter { !$0.isSound }
        for var kept in bestFirst where !texts.contains(kept.joke.fingerprint) {
            if ids.contains(kept.joke.id) {
                kept.joke = kept.joke.named(
                    JokeID(source: String(kept.joke.id.source), fingerprint: kept.joke.fingerprint))
            }
            guard ids.insert(kept.joke.id).inserted else { continue }
            texts.insert(kept.joke.fingerprint)
            favorites.append(kept)
        }
        favorites.sort { $0.key < $1.key }
        // Who is named and has a text that is not quite right has not been lost.
        let damaged = favorites.count { !$0.isSound }
        favoritesLost = max(0, named.subtracting(texts).count - damaged)
        found = []
    }
}

/// What a row is, by its shape.
extension StoredRow {
    var isFavorite: Bool {
        // The key stands beside the row, and NULL in its place.
        key != nil && kinds.count >= 14 && kinds[0].isNull && kinds[1].isBlob(32) && kinds[2].isText && kinds[5].isText
    }

    fileprivate var isGroup: Bool {
        key != nil && (8...9).contains(kinds.count) && kinds[0].isNull && kinds[1].isBlob(32) && kinds[5].isInteger
    }

    /// Whether it says how many keys a table has given.
    fileprivate var isSequence: Bool {
        key != nil && kinds.count == 2 && kinds[0].isText && kinds[1].isInteger
    }

    /// Whether it is a hidden mark, or an entry of the index of favorites: they have one shape.
    var isMark: Bool {
        key == nil && kinds.count == 2 && kinds[0].isBlob(32) && kinds[1].isInteger
    }
}

extension Salvage.Kept {
    /// Reads a row of favorites; nil where nothing that can be shown is left of it.
    init?(_ values: [StoredRow.Value], key: Int64, at now: Timestamp) {
        guard let setup = values[5].text else { return nil }
        let id = ReadID(values[2].text ?? "")
        let fetched = FetchedJoke(
            upstreamID: id.upstream, setup: setup, punchline: values[6].text, language: values[7].text,
            categories: CategoryList(stored: values[8].text ?? "")?.names ?? [],
            flags: JokeFlags(rawValue: UInt8(clamping: values[9].integer ?? 0)).names,
            safety: values[10].text.flatMap(Safety.init(rawValue:)), url: values[11].text, author: values[12].text,
            date: values[13].text)
        guard var joke = try? Normalizer(source: id.source).normalize(fetched) else { return nil }
        isSound = values[1].fingerprint == joke.fingerprint
        // An id that follows from the text is kept where the normaliser has changed since; of another text it is another's.
        if let kept = id.ofText, isSound { joke = joke.named(kept) }
        self.joke = joke
        self.key = key
        favoritedAt = values[3].time ?? now
        firstSeen = values[4].time ?? favoritedAt
        note = values.dropFirst(15).first?.text.flatMap(Favorite.note).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A stored id, taken apart; what cannot be an id's part is left out.
private struct ReadID {
    let source: String
    let upstream: String?
    /// The whole id where it is one that follows from a text.
    let ofText: JokeID?

    init(_ text: String) {
        let id = JokeID(rawValue: text)
        let name = String(id.source)
        let isName =
            (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
        guard isName, name.utf8.count < text.utf8.count else {
            (source, upstream, ofText) = ("salvaged", nil, nil)
            return
        }
        let rest = String(text.utf8.dropFirst(name.utf8.count + 1)) ?? ""
        let digits = rest.utf8.dropFirst()
        let isOfText =
            rest.hasPrefix("~") && digits.count == 16
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        (source, upstream, ofText) = (name, rest, isOfText ? id : nil)
    }
}

extension NormalizedJoke {
    fileprivate func named(_ id: JokeID) -> NormalizedJoke {
        NormalizedJoke(id: id, content: content, fingerprint: fingerprint, contentHash: contentHash)
    }
}

extension StoredRow.Value {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    var fingerprint: Fingerprint? {
        if case .blob(let bytes) = self { Fingerprint(bytes: bytes) } else { nil }
    }

    /// A time that a clock can have shown.
    fileprivate var time: Timestamp? {
        integer.flatMap { (1...253_402_300_799_000_000).contains($0) ? Timestamp(microseconds: $0) : nil }
    }
}
