import Diffable
package import JokesCore
package import JokesProtocol

/// The daemon's picture on this side: takes the replies of `Watch` in order, and knows where to go on after a break.
///
/// The data source at this end of the socket, which takes over what the daemon's data source told. Others are given values
/// of it; it cannot be copied, because two copies would be one. A reply that does not fit throws and leaves the picture as
/// it was. What is of a kind that this program does not know has its place here, and is not shown to others.
package struct FollowedPicture: ~Copyable {
    /// Shows the last whole picture; nil before the first.
    private var source: JokeDataSource?
    private var epoch: String?
    private var generation: Int64?
    /// The pieces of a new picture that is not whole yet.
    private var pieces: [Wire.FilledSection] = []
    /// Of which they are pieces.
    private var generationOfPieces: Int64?
    /// Something came that this program does not know.
    private var hasStrangers = false

    package init() {}

    /// The last whole picture; nil before the first. O(n) where a daemon that is newer than this program sent what is
    /// left out here.
    package var snapshot: JokeSnapshot? {
        source.map { hasStrangers ? $0.snapshot().withoutStrangers : $0.snapshot() }
    }

    /// What to ask for to go on from here: what is missing where the daemon still knows it, all of it otherwise.
    package func parameters(view: Wire.View?) -> WatchMethod.Parameters {
        WatchMethod.Parameters(view: view, epoch: epoch, generation: generation)
    }

    /// What there is of a picture that is not whole yet, where none was shown before; nil else.
    ///
    /// The first piece has the beginning of each section. Throws `ClientError.broken` where the pieces contradict each
    /// other.
    package func beginning() throws(ClientError) -> JokeSnapshot? {
        guard source == nil, !pieces.isEmpty else { return nil }
        do {
            return try Wire.snapshot(of: pieces).withoutStrangers
        } catch {
            throw .contradicting(error)
        }
    }

    /// Before the replies of another connection.
    package mutating func begin() {
        pieces = []
    }

    /// Takes a reply.
    ///
    /// - Returns: the reply, with all pieces of its snapshot in one; nil while pieces are missing.
    /// - Throws: `ClientError.broken` for a difference to another generation than the one that is here, and for a
    ///   picture that contradicts itself. Only a new picture helps then: `forget`, and ask again.
    package mutating func take(_ reply: WatchMethod.Reply) throws(ClientError) -> WatchMethod.Reply? {
        var whole = reply
        do {
            hasStrangers = hasStrangers || reply.hasStrangers
            if let piece = reply.snapshot {
                if reply.generation != generationOfPieces { pieces = [] }
                generationOfPieces = reply.generation
                Wire.append(piece, to: &pieces)
                if reply.complete == false { return nil }
                whole.snapshot = pieces
                pieces = []
                source = JokeDataSource(try Wire.snapshot(of: whole.snapshot ?? []))
            } else if let difference = reply.difference {
                guard let source, reply.epoch == epoch, difference.base == generation else {
                    throw ClientError.broken(reason: "The daemon sent a difference to an unknown snapshot.")
                }
                try source.apply(SnapshotDifference(difference, from: source.snapshot()))
            }
        } catch let error as ClientError {
            throw error
        } catch {
            throw .contradicting(error)
        }
        epoch = reply.epoch
        generation = reply.generation
        return whole
    }

    /// Has the whole picture asked for the next time. What is shown stays.
    package mutating func forget() {
        epoch = nil
        generation = nil
        pieces = []
    }
}

extension WatchMethod.Reply {
    /// Whether something in it is of a kind that this program does not know.
    fileprivate var hasStrangers: Bool {
        let filled = snapshot ?? []
        let placed = difference?.insertedSections?.map(\.section) ?? []
        let arrived = difference?.insertedItems?.flatMap(\.items) ?? []
        return (filled.map(\.section) + placed + (difference?.updatedSections ?? [])).contains { $0.section.isStranger }
            || filled.contains { $0.items.contains { $0.item.isStranger } }
            || (arrived + (difference?.updatedItems ?? [])).contains { $0.item.isStranger }
    }
}

extension JokeSnapshot {
    /// What of it this program knows.
    fileprivate var withoutStrangers: JokeSnapshot {
        var known = self
        // They are its own: there is nothing to throw.
        try? known.deleteSections(sections.filter(\.isStranger).map(\.id))
        known.removeItems(where: \.isStranger)
        return known
    }
}

extension Section {
    fileprivate var isStranger: Bool {
        if case .unknown = self { true } else { false }
    }
}

extension Item {
    fileprivate var isStranger: Bool {
        if case .unknown = self { true } else { false }
    }
}

extension ClientError {
    fileprivate static func contradicting(_ error: any Error) -> ClientError {
        .broken(reason: "The daemon sent an inconsistent snapshot: \(error).")
    }
}
