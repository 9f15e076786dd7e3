/// Where an item stands: the number of its section, and its number within that section, both from 0.
///
/// Ordered as the items are shown: by section, then by item.
public struct ItemIndexPath: Hashable, Codable, Sendable {
    /// The section's index among the sections.
    public var section: Int
    /// The item's index within the section.
    public var item: Int

    /// The place of item number `item` in section number `section`.
    @inlinable
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }
}

extension ItemIndexPath: Comparable {
    /// True where `a` is shown before `b`.
    @inlinable
    public static func < (a: ItemIndexPath, b: ItemIndexPath) -> Bool {
        (a.section, a.item) < (b.section, b.item)
    }
}

extension ItemIndexPath: CustomStringConvertible {
    /// `[section, item]`.
    public var description: String { "[\(section), \(item)]" }
}
