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

/// The model of snapshots: plain arrays, with or without duplicates.
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
        // By position, because two sections may have the same identifier.
        parts = snapshot.sections.enumerated().map { section, header in
            var rows: [Row<ID>] = []
            while let row = snapshot.item(at: ItemIndexPath(section: section, item: rows.count)) { rows.append(row) }
            return Part(header: header, rows: rows)
        }
        marks = snapshot.marks
    }

    var rows: [Row<ID>] { parts.flatMap(\.rows) }

    var description: String {
        let sections = parts.map { "(\($0.header), [\($0.rows.map(\.description).joined(separator: ", "))])" }
        let marked = marks.isEmpty ? "" : " marks \(marks)"
        return "[\(sections.joined(separator: ", "))]\(marked)"
    }

    /// The same as a new snapshot.
    func snapshot() throws -> Snapshot<ID> {
        var snapshot = Snapshot<ID>(parts.map { ($0.header, $0.rows) })
        try snapshot.reloadSections(marks.reloadedSections)
        try snapshot.reloadItems(marks.reloadedItems)
        try snapshot.reconfigureItems(marks.reconfiguredItems)
        return snapshot
    }
}

extension Model {
    /// The places of all items, in order.
    var places: [ItemIndexPath] {
        parts.enumerated().flatMap { section, part in
            part.rows.indices.map { ItemIndexPath(section: section, item: $0) }
        }
    }

    subscript(place: ItemIndexPath) -> Row<ID> {
        get { parts[place.section].rows[place.item] }
        set { parts[place.section].rows[place.item] = newValue }
    }

    /// The first identifier that occurs twice, first of sections, with both positions.
    var duplicate: (code: DiffableError.Code, id: ID, sections: [Int], items: [ItemIndexPath])? {
        var sections: [ID: Int] = [:]
        for (section, part) in parts.enumerated() {
            let first = sections.updateValue(section, forKey: part.header.id)
            if let first { return (.duplicateSection, part.header.id, [first, section], []) }
        }
        var items: [ID: ItemIndexPath] = [:]
        for place in places {
            let first = items.updateValue(place, forKey: self[place].id)
            if let first { return (.duplicateItem, self[place].id, [], [first, place]) }
        }
        return nil
    }

    /// Without the marks of elements that another model does not have.
    func markedOnly(in other: Model) -> Model {
        let (sections, items) = (Set(other.parts.map(\.header.id)), Set(other.rows.map(\.id)))
        var model = self
        model.marks.reloadedSections.removeAll { !sections.contains($0) }
        model.marks.reloadedItems.removeAll { !items.contains($0) }
        model.marks.reconfiguredItems.removeAll { !items.contains($0) }
        return model
    }
}

/// Checks that `body` throws for the first duplicate of a model, with both positions, or succeeds if there is none.
func holdNamesDuplicate<ID>(of model: Model<ID>, in operation: String, _ body: () throws(DiffableError) -> Void) throws
{
    let expected = model.duplicate
    do {
        try body()
        try verify(expected == nil, "\(operation) accepts \(model)")
    } catch let error as DiffableError {
        let isNamed =
            error.code == expected?.code && error.identifier as? ID == expected?.id && error.operation == operation
            && error.indexPaths == expected?.items && error.sectionIndices == expected?.sections
        try verify(isNamed, "\(operation) throws \(error) for \(model)")
    }
}

/// Compares every lookup of `snapshot` with its lists: a lookup finds the first of several elements.
func holdIndexIsTrue<ID>(of snapshot: Snapshot<ID>) throws {
    let model = Model(snapshot)
    try verify(snapshot.itemIdentifiers == model.rows.map(\.id), "itemIdentifiers differ from the sections' items")
    try verify(Array(snapshot.items) == model.rows, "items differ from the sections' items")
    try verify(snapshot.sectionIdentifiers == model.parts.map(\.header.id), "sectionIdentifiers differ from sections")
    try verify(snapshot.numberOfItems == model.rows.count, "numberOfItems is wrong")
    try verify(snapshot.numberOfSections == model.parts.count, "numberOfSections is wrong")
    var seen: Set<ID> = []
    for (section, part) in model.parts.enumerated() where seen.insert(part.header.id).inserted {
        let header = part.header
        try verify(snapshot.section(for: header.id) == header, "section(for: \(header)) is wrong")
        try verify(snapshot.indexOfSection(header.id) == section, "indexOfSection(\(header)) is wrong")
        try verify(
            snapshot.numberOfItems(inSection: header.id) == part.rows.count, "numberOfItems(inSection:) is wrong")
        try verify(snapshot.itemIdentifiers(inSection: header.id) == part.rows.map(\.id), "itemIdentifiers is wrong")
        try verify(Array(snapshot[header.id]) == part.rows, "the view of section \(header) is wrong")
    }
    seen = []
    for (index, path) in model.places.enumerated() {
        let row = model[path]
        try verify(snapshot.item(at: path) == row, "item(at: \(path)) is wrong")
        guard seen.insert(row.id).inserted else { continue }
        let section = model.parts[path.section].header.id
        try verify(snapshot.item(for: row.id) == row, "item(for: \(row)) is wrong")
        try verify(snapshot.indexOfItem(row.id) == index, "indexOfItem(\(row)) is wrong")
        try verify(snapshot.indexPath(for: row.id) == path, "indexPath(for: \(row)) is wrong")
        try verify(snapshot.sectionIdentifier(containingItem: row.id) == section, "\(row) is in another section")
    }
    try holdNamesDuplicate(of: model, in: "validate") { () throws(DiffableError) in try snapshot.validate() }
}
