/// A `Hashable` value that is a section or an item and its own identifier, such as a string or a case of an enumeration.
///
/// The methods that add sections or items also take the values themselves:
///
/// ```swift
/// enum Section { case main }
///
/// var snapshot = HashableSnapshot<Section, String>()
/// snapshot.appendSections([.main])
/// try snapshot.appendItems(["duck", "goose"], toSection: .main)
/// for bird in snapshot[.main] { print(bird) }
/// ```
///
/// Such an element has only an identifier. So it is never updated: another value is another element. The views of a
/// snapshot, and everything that returns identifiers, return the values.
public struct HashableElement<Value: Hashable & Sendable>: Identifiable, Hashable, Sendable {
    /// The value.
    public let id: Value

    /// Makes an element of a value.
    @inlinable public init(id: Value) { self.id = id }
}

/// An element that is its own identifier, such as `enum Section: SelfIdentifiable { case main }`.
public protocol SelfIdentifiable: Identifiable where ID: Sendable {}

extension SelfIdentifiable where ID == Self {
    /// The element itself.
    public var id: Self { self }
}

extension HashableElement: SelfIdentifiable {}

extension DiffableSnapshot where Item: SelfIdentifiable {
    /// The values of all items in order, as a view of the snapshot.
    @inlinable public var items: LazyMapCollection<DiffableItems<Item>, Item.ID> {
        DiffableItems(self, 0..<numberOfItems).lazy.map(\.id)
    }

    /// The values of a section's items in order, as a view of the snapshot; empty if there is no such section.
    @inlinable
    public subscript(section: Section.ID) -> LazyMapCollection<DiffableItems<Item>, Item.ID> {
        DiffableItems(self, positions(ofSection: section)).lazy.map(\.id)
    }
}

extension DiffableSnapshot where Section: SelfIdentifiable {
    /// The values of the sections in order.
    @inlinable public var sections: [Section.ID] { sectionIdentifiers }
}

extension HashableElement: CustomStringConvertible {
    /// The description of the value.
    public var description: String { "\(id)" }
}

extension HashableElement: Encodable where Value: Encodable {
    /// Encodes the value alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}

extension HashableElement: Decodable where Value: Decodable {
    /// Decodes the value alone.
    public init(from decoder: any Decoder) throws {
        self.init(id: try decoder.singleValueContainer().decode(Value.self))
    }
}

/// A snapshot of `Hashable` values.
public typealias HashableSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable> =
    DiffableSnapshot<HashableElement<Section>, HashableElement<Item>>

/// A data source of `Hashable` values.
public typealias HashableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable> =
    DiffableDataSource<HashableElement<Section>, HashableElement<Item>>

extension DiffableSnapshot {
    /// Creates a snapshot of values: sections with their items, in order.
    @inlinable
    public init<Value, Other>(_ sections: some Sequence<(Value, [Other])>)
    where Section == HashableElement<Value>, Item == HashableElement<Other> {
        self.init(sections.map { (HashableElement(id: $0), $1.map { HashableElement(id: $0) }) })
    }

    /// Appends values as sections, like ``appendSections(_:)-([Section])``.
    @inlinable
    public mutating func appendSections<Value>(_ values: [Value]) where Section == HashableElement<Value> {
        appendSections(values.map { HashableElement(id: $0) })
    }

    /// Inserts values as sections before another section.
    public mutating func insertSections<Value>(
        _ values: [Value], beforeSection neighbor: Value
    ) throws(DiffableError) where Section == HashableElement<Value> {
        try insertSections(values.map { HashableElement(id: $0) }, beforeSection: neighbor)
    }

    /// Inserts values as sections after another section.
    public mutating func insertSections<Value>(
        _ values: [Value], afterSection neighbor: Value
    ) throws(DiffableError) where Section == HashableElement<Value> {
        try insertSections(values.map { HashableElement(id: $0) }, afterSection: neighbor)
    }

    /// Appends values as items to a section, or to the last section.
    @inlinable
    public mutating func appendItems<Value>(
        _ values: [Value], toSection identifier: Section.ID? = nil
    ) throws(DiffableError) where Item == HashableElement<Value> {
        try appendItems(values.map { HashableElement(id: $0) }, toSection: identifier)
    }

    /// Inserts values as items before another item.
    @inlinable
    public mutating func insertItems<Value>(_ values: [Value], beforeItem neighbor: Value) throws(DiffableError)
    where Item == HashableElement<Value> {
        try insertItems(values.map { HashableElement(id: $0) }, beforeItem: neighbor)
    }

    /// Inserts values as items after another item.
    @inlinable
    public mutating func insertItems<Value>(_ values: [Value], afterItem neighbor: Value) throws(DiffableError)
    where Item == HashableElement<Value> {
        try insertItems(values.map { HashableElement(id: $0) }, afterItem: neighbor)
    }
}
