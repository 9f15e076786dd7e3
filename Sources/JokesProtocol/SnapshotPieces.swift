import Diffable
package import JokesCore

extension Wire {
    /// A snapshot in pieces that each fit well into one message of 1 MiB, in order; at least one.
    ///
    /// A section that goes on in the next piece is named again there.
    package static func pieces(of snapshot: JokeSnapshot, bytesEach limit: Int = 384 * 1024) -> [[FilledSection]] {
        var pieces: [[FilledSection]] = []
        var piece: [FilledSection] = []
        var bytes = 0
        for section in snapshot.sections {
            piece.append(FilledSection(section: Section(section), items: []))
            for item in snapshot.items(inSection: section.id) {
                if bytes > limit {
                    pieces.append(piece)
                    piece = [FilledSection(section: Section(section), items: [])]
                    bytes = 0
                }
                piece[piece.count - 1].items.append(Item(item))
                bytes += item.estimatedBytes
            }
        }
        pieces.append(piece)
        return pieces
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

extension JokesCore.Item {
    /// About what it takes as JSON: escapes at most double clean text.
    package var estimatedBytes: Int {
        switch self {
        case .loading: 64
        case .joke(let joke): joke.content.estimatedBytes
        case .favorite(let favorite): favorite.content.estimatedBytes + 2 * (favorite.note?.utf8.count ?? 0)
        }
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
