import Diffable

/// An identifier that is made from a number. Kinds differ in how the engine can store and hash them.
protocol FuzzIdentifier: Hashable, Codable, Sendable {
    init(number: Int)
}

extension Int: FuzzIdentifier {
    init(number: Int) { self = number }
}

extension String: FuzzIdentifier {
    init(number: Int) { self = "\(number)" }
}

/// An identifier that shares its hash value with many others.
struct CrowdedIdentifier: FuzzIdentifier {
    let number: Int

    func hash(into hasher: inout Hasher) { hasher.combine(number & 3) }
}

/// A section or an item.
struct Thing<ID: FuzzIdentifier>: Identifiable, Equatable, Codable, Sendable {
    let id: ID
    var content = 0
}

typealias Snapshot<ID: FuzzIdentifier> = DiffableSnapshot<Thing<ID>, Thing<ID>>
typealias Difference<ID: FuzzIdentifier> = SnapshotDifference<Thing<ID>, Thing<ID>>
typealias Patch<ID: FuzzIdentifier> = SnapshotPatch<Thing<ID>, Thing<ID>>

/// A snapshot as plain lists, made only from its order.
struct Model<ID: FuzzIdentifier>: Equatable {
    struct Part: Equatable {
        let header: Thing<ID>
        let rows: [Thing<ID>]
    }

    let parts: [Part]
    let marks: SnapshotMarks<ID, ID>

    init(_ snapshot: Snapshot<ID>) {
        parts = snapshot.sections.map { Part(header: $0, rows: snapshot.items(inSection: $0.id)) }
        marks = snapshot.marks
    }

    var identifiers: [[ID]] { parts.map { [$0.header.id] + $0.rows.map(\.id) } }
    var rows: [Thing<ID>] { parts.flatMap(\.rows) }

    /// The same snapshot, built piece by piece without shared storage.
    func snapshot() throws -> Snapshot<ID> {
        var snapshot = Snapshot<ID>()
        try snapshot.appendSections(parts.map(\.header))
        for part in parts { try snapshot.appendItems(part.rows, toSection: part.header.id) }
        try snapshot.reloadSections(marks.reloadedSections)
        try snapshot.reloadItems(marks.reloadedItems)
        try snapshot.reconfigureItems(marks.reconfiguredItems)
        return snapshot
    }
}
