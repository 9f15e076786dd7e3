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

    /// Returns the next piece; nil after the last one. An empty snapshot has one piece. O(log p) for each item of the
    /// piece (see `DiffableSnapshot`), and O(sections)
    package mutating func next() -> [Wire.FilledSection]? {
        if isAtEnd { return nil }
        let sections = snapshot.sections
        let counts = sections.map { snapshot.numberOfItems(inSection: $0.id) }
        let starts = taken ?? counts.map { _ in 0 }
        var ends = ends(of: counts, from: starts)
        if taken == nil && ends != counts {
            ends = counts.indices.map { beginning(ofSection: $0, counts[$0], bytes: limit / counts.count) }
        }
        let piece = sections.indices.compactMap { index in
            taken == nil || starts[index] < ends[index]
                ? Wire.FilledSection(
                    section: sections[index],
                    items: (starts[index]..<ends[index]).map { item(at: $0, inSection: index) }) : nil
        }
        taken = ends
        isAtEnd = ends == counts
        return piece
    }

    private func item(at index: Int, inSection section: Int) -> Item {
        guard let item = snapshot.item(at: ItemIndexPath(section: section, item: index)) else {
            preconditionFailure("section \(section) has no item \(index)")
        }
        return item
    }

    /// Returns the end of a piece in each section, if one section is filled after another.
    private func ends(of counts: [Int], from starts: [Int]) -> [Int] {
        var bytes = 0
        return counts.indices.map { section in
            var end = starts[section]
            while end < counts[section] && bytes <= limit {
                bytes += item(at: end, inSection: section).estimatedBytes
                end += 1
            }
            return end
        }
    }

    /// Returns the number of items of a section in the first piece.
    private func beginning(ofSection section: Int, _ count: Int, bytes: Int) -> Int {
        var left = bytes
        let most = Swift.min(count, Self.maxItemsAtFirst)
        let end = (0..<most).first { index in
            left -= item(at: index, inSection: section).estimatedBytes
            return left < 0
        }
        return end ?? most
    }
}

extension Wire {
    /// `type FilledSection`.
    package struct FilledSection: Codable, Hashable, Sendable {
        package var section: Section
        package var items: [Item]
    }

    /// Returns all pieces of a snapshot.
    package static func pieces(of snapshot: JokeSnapshot, bytesEach limit: Int = 384 << 10) -> [[FilledSection]] {
        Array(SnapshotPieces(of: snapshot, bytesEach: limit))
    }

    /// Appends the next piece to the earlier ones.
    package static func append(_ piece: [FilledSection], to pieces: inout [FilledSection]) {
        for filled in piece {
            if let index = pieces.lastIndex(where: { $0.section.id == filled.section.id }) {
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
            snapshot.appendSections([filled.section])
            try snapshot.appendItems(filled.items, toSection: filled.section.id)
        }
        try snapshot.validate()
        return snapshot
    }
}

extension Item {
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
        let extras = details.values.compactMap { $0?.utf8.count }
        let categories = categories.reduce(0) { $0 + $1.utf8.count + 4 }
        return 320 + 2 * (text.byteCount + extras.reduce(0, +) + categories)
    }
}
