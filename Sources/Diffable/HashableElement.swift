/// A `Hashable` value that is a section or an item and its own identifier, such as a string or a case of an enumeration.
///
/// The methods that add sections or items also take the values themselves:
///
/// ```swift
/// enum Section { case main }
///
/// var snapshot = HashableSnapshot<Section, String>()
/// try snapshot.appendSections([.main])
/// try snapshot.appendItems(["duck", "goose"], toSection: .main)
/// ```
///
/// Such an element has only an identifier. So it is never updated: another value is another element.
public struct HashableElement<Value: Hashable & Sendable>: Identifiable, Hashable, Sendable {
    /// The value.
    public let id: Value

    /// Makes an element of a value.
    @inlinable public init(id: Value) { self.id = id }
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

/// A section snapshot of `Hashable` values.
public typealias HashableSectionSnapshot<Item: Hashable & Sendable> = DiffableSectionSnapshot<HashableElement<Item>>

/// A data source of `Hashable` values.
public typealias HashableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable> =
    DiffableDataSource<HashableElement<Section>, HashableElement<Item>>

extension DiffableSnapshot {
    /// Appends values as sections, like ``appendSections(_:)-([Section])``.
    @inlinable
    public mutating func appendSections<Value>(_ values: [Value]) throws(DiffableError)
    where Section == HashableElement<Value> {
        try appendSections(values.map { HashableElement(id: $0) })
    }

    /// Inserts values as sections before another section.
    @inlinable
    public mutating func insertSections<Value>(
        _ values: [Value], beforeSection neighbor: Value
    ) throws(DiffableError) where Section == HashableElement<Value> {
        try insertSections(values.map { HashableElement(id: $0) }, beforeSection: neighbor)
    }

    /// Inserts values as sections after another section.
    @inlinable
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

extension DiffableSectionSnapshot {
    /// Appends values as collapsed items to the children of `parent`, or to the roots.
    @inlinable
    public mutating func append<Value>(_ values: [Value], to parent: Value? = nil) throws(DiffableError)
    where Item == HashableElement<Value> {
        try append(values.map { HashableElement(id: $0) }, to: parent)
    }

    /// Inserts values as collapsed items before another item, with the same parent.
    @inlinable
    public mutating func insert<Value>(_ values: [Value], before sibling: Value) throws(DiffableError)
    where Item == HashableElement<Value> {
        try insert(values.map { HashableElement(id: $0) }, before: sibling)
    }

    /// Inserts values as collapsed items after another item and its descendants, with the same parent.
    @inlinable
    public mutating func insert<Value>(_ values: [Value], after sibling: Value) throws(DiffableError)
    where Item == HashableElement<Value> {
        try insert(values.map { HashableElement(id: $0) }, after: sibling)
    }
}

/// An element that has only an identifier.
@usableFromInline
protocol IdentifierOnlyElement: Identifiable {
    init(id: ID)
}

extension HashableElement: IdentifierOnlyElement {}

extension IdentifierOnlyElement {
    /// Makes the element with an identifier of this type; nil for another type.
    fileprivate static func make(_ identifier: Any) -> Any? { (identifier as? ID).map { Self(id: $0) } }
}

extension Identifiable {
    /// Returns the element with an identifier; nil if elements of this type have more than an identifier.
    @usableFromInline
    static func withOnly(identifier: ID) -> Self? {
        if let element = identifier as? Self { return element }
        return (Self.self as? any IdentifierOnlyElement.Type)?.make(identifier) as? Self
    }
}
