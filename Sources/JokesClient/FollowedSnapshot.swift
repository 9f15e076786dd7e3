import Diffable
package import JokesCore
package import JokesProtocol

/// The daemon's snapshot in the client, from the replies of `Watch` in order.
///
/// It cannot be copied, because copies would share the data source. Sections and items of unknown kinds keep their positions,
/// but are not shown.
package struct FollowedSnapshot: ~Copyable {
    /// Has the last complete snapshot; nil before the first.
    private var dataSource: JokeDataSource?
    private var epoch: String?
    private var generation: Int64?
    /// The pieces of an incomplete snapshot, and its generation.
    private var pieces: [Wire.FilledSection] = []
    private var generationOfPieces: Int64?

    package init() {}

    /// The last complete snapshot; nil before the first. O(n)
    package var snapshot: JokeSnapshot? { dataSource?.snapshot().withoutUnknownKinds }

    /// The parameters of a call that continues from the current generation.
    package func parameters(view: View?) -> WatchMethod.Parameters {
        WatchMethod.Parameters(view: view, epoch: epoch, generation: generation)
    }

    /// The pieces so far of the first snapshot, while it is incomplete; otherwise nil.
    package func beginning() throws(ClientError) -> JokeSnapshot? {
        guard dataSource == nil, !pieces.isEmpty else { return nil }
        do {
            return try Wire.snapshot(of: pieces).withoutUnknownKinds
        } catch {
            throw .inconsistent(error)
        }
    }

    /// Prepares for the replies of another connection.
    package mutating func begin() { pieces = [] }

    /// Handles a reply, and returns it with all pieces of its snapshot; nil if pieces are missing.
    ///
    /// Throws `ClientError.broken` for a difference to an unknown generation, and for an inconsistent snapshot. The snapshot
    /// stays as it was; call `forget` and begin again.
    package mutating func take(_ reply: WatchMethod.Reply) throws(ClientError) -> WatchMethod.Reply? {
        var whole = reply
        do {
            if let piece = reply.snapshot {
                if reply.generation != generationOfPieces { pieces = [] }
                generationOfPieces = reply.generation
                Wire.append(piece, to: &pieces)
                if reply.complete == false { return nil }
                whole.snapshot = pieces
                pieces = []
                dataSource = try JokeDataSource(try Wire.snapshot(of: whole.snapshot ?? []))
            } else if let difference = reply.difference {
                guard let dataSource, reply.epoch == epoch, difference.base == generation else {
                    throw ClientError.broken(reason: "The daemon sent a difference to an unknown snapshot.")
                }
                try dataSource.apply(SnapshotDifference(difference, from: dataSource.snapshot()))
            }
        } catch {
            throw (error as? ClientError) ?? .inconsistent(error)
        }
        epoch = reply.epoch
        generation = reply.generation
        return whole
    }

    /// Requests a whole snapshot the next time. The current one stays.
    package mutating func forget() {
        epoch = nil
        generation = nil
        pieces = []
    }
}

extension JokeSnapshot {
    /// The snapshot without sections and items of unknown kinds. O(n)
    fileprivate var withoutUnknownKinds: JokeSnapshot {
        let unknown = itemIdentifiers.filter { if case .unknown = $0 { true } else { false } }
        let sections = sectionIdentifiers.filter { if case .unknown = $0 { true } else { false } }
        if unknown.isEmpty && sections.isEmpty { return self }
        var known = self
        // The snapshot has all of them, so neither call throws.
        try? known.deleteItems(unknown)
        try? known.deleteSections(sections)
        return known
    }
}

extension ClientError {
    fileprivate static func inconsistent(_ error: any Error) -> ClientError {
        .broken(reason: "The daemon sent an inconsistent snapshot: \(error).")
    }
}
