import Diffable
package import JokesCore

extension Wire {
    /// So many items of each section are in the first of several pieces: more than fit on a screen.
    package static let itemsAtFirst = 64

    /// A snapshot in pieces that each fit well into one message of 1 MiB, in order; at least one.
    ///
    /// Where it needs several, the first has the sections with the beginning of each, so that something can be shown at
    /// once. A section that goes on in a later piece is named again there. O(n) in the items.
    package static func pieces(of snapshot: JokeSnapshot, bytesEach limit: Int = 384 * 1024) -> [[FilledSection]] {
        var cutter = PieceCutter(limit: limit)
        let sections = snapshot.sections.map { (section: $0, items: snapshot.items(inSection: $0.id)) }
        let fitsInOne = sections.allSatisfy { section in
            section.items.allSatisfy { cutter.takes($0.estimatedBytes) }
        }
        cutter = PieceCutter(limit: limit)
        if fitsInOne {
            for section in sections { cutter.add(section.items[...], of: section.section) }
            return cutter.all
        }
        let heads = sections.map { beginning(of: $0.items, bytes: limit / sections.count) }
        for (section, head) in zip(sections, heads) { cutter.add(section.items[..<head], of: section.section) }
        cutter.cut()
        for (section, head) in zip(sections, heads) where head < section.items.count {
            cutter.add(section.items[head...], of: section.section)
        }
        return cutter.all
    }

    /// How many items are in the first piece, of which a section has so many bytes.
    private static func beginning(of items: [JokesCore.Item], bytes: Int) -> Int {
        var left = bytes
        let end = items.prefix(itemsAtFirst).firstIndex { item in
            left -= item.estimatedBytes
            return left < 0
        }
        return end ?? min(items.count, itemsAtFirst)
    }

    /// Puts the next piece behind those that came before it.
    package static func append(_ piece: [FilledSection], to pieces: inout [FilledSection]) {
        for filled in piece {
            if let index = pieces.lastIndex(where: { $0.section.section.id == filled.section.section.id }) {
                pieces[index].items += filled.items
            } else {
                pieces.append(filled)
            }
        }
    }

    /// The snapshot of all its pieces.
    ///
    /// - Throws: `DiffableError` where a section or an item comes twice.
    package static func snapshot(of pieces: [FilledSection]) throws -> JokeSnapshot {
        var snapshot = JokeSnapshot()
        for filled in pieces {
            try snapshot.appendSections([filled.section.section])
            try snapshot.appendItems(filled.items.map(\.item), toSection: filled.section.section.id)
        }
        return snapshot
    }
}

/// Cuts a snapshot where a message would grow too large.
private struct PieceCutter {
    let limit: Int
    private var pieces: [[Wire.FilledSection]] = []
    private var piece: [Wire.FilledSection] = []
    private var bytes = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts an item in; false where the piece is full without it.
    mutating func takes(_ size: Int) -> Bool {
        if bytes > limit { return false }
        bytes += size
        return true
    }

    mutating func add(_ items: ArraySlice<JokesCore.Item>, of section: JokesCore.Section) {
        piece.append(Wire.FilledSection(section: Wire.Section(section), items: []))
        for item in items {
            if !takes(item.estimatedBytes) {
                cut()
                piece.append(Wire.FilledSection(section: Wire.Section(section), items: []))
                bytes = item.estimatedBytes
            }
            piece[piece.count - 1].items.append(Wire.Item(item))
        }
    }

    /// The next item is in another piece.
    mutating func cut() {
        pieces.append(piece)
        (piece, bytes) = ([], 0)
    }

    /// All pieces, of which there is always one.
    var all: [[Wire.FilledSection]] {
        piece.isEmpty && !pieces.isEmpty ? pieces : pieces + [piece]
    }
}

extension JokesCore.Item {
    /// About what it takes as JSON, and nearly always more: escapes at most double clean text.
    package var estimatedBytes: Int {
        switch self {
        case .loading: 64
        case .joke(let joke): joke.estimatedBytes
        case .found(let found): found.joke.estimatedBytes + 64 * (1 + found.marks.count)
        case .unknown(let unknown): 64 + 2 * (unknown.kind.utf8.count + unknown.id.utf8.count)
        case .favorite(let favorite):
            favorite.content.estimatedBytes + 2 * (favorite.note?.utf8.count ?? 0) + 4 * favorite.id.rawValue.utf8.count
        }
    }
}

extension Joke {
    /// A row names it twice.
    fileprivate var estimatedBytes: Int {
        content.estimatedBytes + 4 * id.rawValue.utf8.count
    }
}

extension JokeContent {
    /// About what a joke of this content takes as JSON.
    fileprivate var estimatedBytes: Int {
        let extras = [url, author, upstreamDate].compactMap { $0?.utf8.count }
        let categories = categories.reduce(0) { $0 + $1.utf8.count + 4 }
        return 320 + 2 * (text.byteCount + extras.reduce(0, +) + categories)
    }
}
