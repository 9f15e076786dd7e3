import Diffable
import TestSupport

/// An identifier that a test makes from a number. Kinds differ in their hash values.
protocol TestIdentifier: Hashable, Codable, Sendable, CustomStringConvertible {
    init(_ number: Int)
    var number: Int { get }
}

extension TestIdentifier {
    var description: String { "\(number)" }
}

struct PlainIdentifier: TestIdentifier {
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// An identifier whose hash value is always the same.
struct ClashingIdentifier: TestIdentifier {
    let number: Int
    init(_ number: Int) { self.number = number }
    func hash(into hasher: inout Hasher) {}
}

/// An identifier with three possible hash values.
struct CrowdedIdentifier: TestIdentifier {
    let number: Int
    init(_ number: Int) { self.number = number }
    func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
}

/// An identifier whose equal values have different bits, such as strings that are decoded one by one.
struct BoxedIdentifier: TestIdentifier {
    private final class Box: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private let box: Box
    var number: Int { box.number }

    init(_ number: Int) { box = Box(number) }
    init(from decoder: any Decoder) throws { self.init(try Int(from: decoder)) }
    func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
    static func == (a: BoxedIdentifier, b: BoxedIdentifier) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A section or an item: its identifier and its content.
struct Row<ID: TestIdentifier>: Identifiable, Equatable, Codable, Sendable, CustomStringConvertible {
    let id: ID
    var content = 0

    init(_ number: Int, content: Int = 0) {
        id = ID(number)
        self.content = content
    }

    var description: String { content == 0 ? "\(id)" : "\(id)'\(content)" }
}

typealias Snapshot<ID: TestIdentifier> = DiffableSnapshot<Row<ID>, Row<ID>>
typealias Difference<ID: TestIdentifier> = SnapshotDifference<Row<ID>, Row<ID>>
typealias PlainSnapshot = Snapshot<PlainIdentifier>
typealias PlainRow = Row<PlainIdentifier>

/// The model of snapshots: plain arrays.
struct Model<ID: TestIdentifier>: Equatable, CustomStringConvertible {
    struct Part: Equatable {
        var header: Row<ID>
        var rows: [Row<ID>]
    }

    var parts: [Part] = []
    var marks = SnapshotMarks<ID, ID>()

    init() {}

    /// `[(0, [1, 2])]` is section 0 with items 1 and 2.
    init(_ sections: [(Int, [Int])]) {
        parts = sections.map { Part(header: Row($0), rows: $1.map { Row($0) }) }
    }

    /// Makes one section, 0.
    init(flat items: [Int]) {
        self.init([(0, items)])
    }

    init(_ snapshot: Snapshot<ID>) {
        parts = snapshot.sections.map { Part(header: $0, rows: snapshot.items(inSection: $0.id)) }
        marks = snapshot.marks
    }

    var rows: [Row<ID>] { parts.flatMap(\.rows) }

    var description: String {
        let sections = parts.map { "(\($0.header), [\($0.rows.map(\.description).joined(separator: ", "))])" }
        let marked = marks.isEmpty ? "" : " marks \(marks)"
        return "[\(sections.joined(separator: ", "))]\(marked)"
    }

    /// The same as a snapshot, built by appending.
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

/// Compares every lookup of `snapshot` with its lists.
func holdIndexIsTrue<ID>(of snapshot: Snapshot<ID>) throws {
    let model = Model(snapshot)
    try verify(snapshot.itemIdentifiers == model.rows.map(\.id), "itemIdentifiers differ from the sections' items")
    try verify(snapshot.items == model.rows, "items differ from the sections' items")
    try verify(snapshot.sectionIdentifiers == model.parts.map(\.header.id), "sectionIdentifiers differ from sections")
    try verify(snapshot.numberOfItems == model.rows.count, "numberOfItems is wrong")
    try verify(snapshot.numberOfSections == model.parts.count, "numberOfSections is wrong")
    try verify(Set(snapshot.itemIdentifiers).count == snapshot.numberOfItems, "an item occurs twice")
    try verify(Set(snapshot.sectionIdentifiers).count == snapshot.numberOfSections, "a section occurs twice")
    var index = 0
    for (section, part) in model.parts.enumerated() {
        let header = part.header
        try verify(snapshot.section(for: header.id) == header, "section(for: \(header)) is wrong")
        try verify(snapshot.indexOfSection(header.id) == section, "indexOfSection(\(header)) is wrong")
        try verify(
            snapshot.numberOfItems(inSection: header.id) == part.rows.count, "numberOfItems(inSection:) is wrong")
        try verify(snapshot.itemIdentifiers(inSection: header.id) == part.rows.map(\.id), "itemIdentifiers is wrong")
        for (item, row) in part.rows.enumerated() {
            let path = ItemIndexPath(section: section, item: item)
            try verify(snapshot.item(for: row.id) == row, "item(for: \(row)) is wrong")
            try verify(snapshot.indexOfItem(row.id) == index, "indexOfItem(\(row)) is wrong")
            try verify(snapshot.indexPath(for: row.id) == path, "indexPath(for: \(row)) is wrong")
            try verify(snapshot.item(at: path) == row, "item(at: \(path)) is wrong")
            try verify(snapshot.sectionIdentifier(containingItem: row.id) == header.id, "\(row) is in another section")
            index += 1
        }
    }
}
