import Diffable
package import JokesCore

/// The pieces of a snapshot, one for each message, made one at a time to limit the use of memory.
///
/// If there are several pieces, the first one names all sections and has the beginning of each, so a client can show
/// something at once. A section that continues in a later piece is named again there.
package struct SnapshotPieces: Sequence, IteratorProtocol {
    /// The maximum number of items of a section in the first of several pieces: more than fit on a screen.
    package static let maxItemsAtFirst = 64

    /// True after the last piece.
    package private(set) var isAtEnd = false
    private let snapshot: JokeSnapshot
    private let limit: Int
    /// The number of items of each section in earlier pieces; nil before the first piece.
    private var taken: [Int]?

    /// `limit` is the approximate maximum size of a piece as JSON, in bytes. A piece may exceed it by one item.
    package init(of snapshot: JokeSnapshot, bytesEach limit: Int) { (self.snapshot, self.limit) = (snapshot, limit) }

    /// Returns the next piece; nil after the last one. An empty snapshot has one piece. O(items of the snapshot)
    package mutating func next() -> [Wire.FilledSection]? {
        if isAtEnd { return nil }
        let sections = snapshot.sections
        let items = sections.map { snapshot.items(inSection: $0.id) }
        let starts = taken ?? items.map { _ in 0 }
        var ends = ends(of: items, from: starts)
        if taken == nil && ends != items.map(\.count) {
            ends = items.map { beginning(of: $0, bytes: limit / items.count) }
        }
        let piece = sections.indices.compactMap { index in
            taken == nil || starts[index] < ends[index]
                ? Wire.FilledSection(
                    section: Wire.Section(sections[index]),
                    items: items[index][starts[index]..<ends[index]].map(Wire.Item.init)) : nil
        }
        taken = ends
        isAtEnd = ends == items.map(\.count)
        return piece
    }

    /// Returns the end of a piece in each section, if one section is filled after another.
    private func ends(of items: [[JokesCore.Item]], from starts: [Int]) -> [Int] {
        var bytes = 0
        return zip(items, starts).map { items, start in
            var end = start
            while end < items.count && bytes <= limit {
                bytes += items[end].estimatedBytes
                end += 1
            }
            return end
        }
    }

    /// Returns the number of items of a section in the first piece.
    private func beginning(of items: [JokesCore.Item], bytes: Int) -> Int {
        var left = bytes
        let end = items.prefix(Self.maxItemsAtFirst).firstIndex { item in
            left -= item.estimatedBytes
            return left < 0
        }
        return end ?? Swift.min(items.count, Self.maxItemsAtFirst)
    }
}

extension Wire {
    /// Returns all pieces of a snapshot.
    package static func pieces(of snapshot: JokeSnapshot, bytesEach limit: Int = 384 << 10) -> [[FilledSection]] {
        Array(SnapshotPieces(of: snapshot, bytesEach: limit))
    }

    /// Appends the next piece to the earlier ones.
    package static func append(_ piece: [FilledSection], to pieces: inout [FilledSection]) {
        for filled in piece {
            if let index = pieces.lastIndex(where: { $0.section.section.id == filled.section.section.id }) {
                pieces[index].items += filled.items
            } else {
                pieces.append(filled)
            }
        }
    }

    /// Returns the snapshot of all its pieces.
    ///
    /// - Throws: `DiffableError` if a section or an item comes twice.
    package static func snapshot(of pieces: [FilledSection]) throws -> JokeSnapshot {
        var snapshot = JokeSnapshot()
        for filled in pieces {
            try snapshot.appendSections([filled.section.section])
            try snapshot.appendItems(filled.items.map(\.item), toSection: filled.section.section.id)
        }
        try snapshot.checkIdentifiers()
        return snapshot
    }
}

extension JokesCore.Item {
    /// The approximate size as JSON, in bytes. It is rarely smaller than the real one: escapes at most double clean text.
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
    /// A row has the ID twice.
    fileprivate var estimatedBytes: Int { content.estimatedBytes + 4 * id.rawValue.utf8.count }
}

extension JokeContent {
    /// The approximate size of a joke as JSON, in bytes.
    fileprivate var estimatedBytes: Int {
        let extras = [url, author, upstreamDate].compactMap { $0?.utf8.count }
        let categories = categories.reduce(0) { $0 + $1.utf8.count + 4 }
        return 320 + 2 * (text.byteCount + extras.reduce(0, +) + categories)
    }
}
