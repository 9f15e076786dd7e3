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

    init(parts: [Part]) { (self.parts, marks) = (parts, .init()) }

    init(_ snapshot: Snapshot<ID>) {
        // By position, because two sections may have the same identifier.
        parts = snapshot.sections.enumerated().map { section, header in
            var rows: [Thing<ID>] = []
            while let row = snapshot.item(at: ItemIndexPath(section: section, item: rows.count)) { rows.append(row) }
            return Part(header: header, rows: rows)
        }
        marks = snapshot.marks
    }

    var identifiers: [[ID]] { parts.map { [$0.header.id] + $0.rows.map(\.id) } }
    var rows: [Thing<ID>] { parts.flatMap(\.rows) }

    /// The same snapshot without shared storage.
    func snapshot() throws -> Snapshot<ID> {
        var snapshot = Snapshot<ID>(parts.map { ($0.header, $0.rows) })
        try snapshot.reloadSections(marks.reloadedSections)
        try snapshot.reloadItems(marks.reloadedItems)
        try snapshot.reconfigureItems(marks.reconfiguredItems)
        return snapshot
    }
}
