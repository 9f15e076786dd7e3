/// The position of an item: the index of its section, and its index in the section.
///
/// Index paths are ordered by section, then by item.
public struct ItemIndexPath: Hashable, Codable, Sendable {
    /// The index of the section.
    public var section: Int
    /// The index of the item in its section.
    public var item: Int

    /// Creates an index path.
    @inlinable
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

extension ItemIndexPath: Comparable {
    /// Returns true if `a` is before `b`.
    @inlinable
    public static func < (a: ItemIndexPath, b: ItemIndexPath) -> Bool { (a.section, a.item) < (b.section, b.item) }
}

extension ItemIndexPath: CustomStringConvertible {
    /// `[section, item]`.
    public var description: String { "[\(section), \(item)]" }
}
