public import Diffable

/// An outline: items that can have children, and can be expanded and collapsed. Like `NSDiffableDataSourceSectionSnapshot`.
///
/// The outline is a part of the program's state. To show the outline, apply it to a section of a data source: the section
/// then has the visible items.
///
/// ```swift
/// try outline.expand(["mammals"])
/// try dataSource.apply(outline, to: .animals)
/// ```
///
/// As in a `DiffableSnapshot`, two items with equal `id` are *the same*. If they are also equal by `==`, they are
/// *unchanged*. Identifiers are unique on all levels. A method that would break this rule, or gets an unknown
/// identifier, throws a `DiffableError` with the identifier. The value is then unchanged.
///
/// The *descendants* of an item are its children, their children, and so on. A new item is collapsed. An item can be expanded
/// before it has children. An item is *visible* if all its ancestors are expanded.
///
/// An outline is a value. Copies share their storage until the first edit, which copies it in O(n) for `n` items. Finding
/// an identifier takes O(1). There is no recursion: only memory limits the depth of an outline.
public struct DiffableSectionSnapshot<Item: Identifiable & Equatable> where Item.ID: Sendable {
    struct Node {
        var item: Item
        var parent: Item.ID?
        var children: [Item.ID] = []
        var isExpanded = false
    }

    var nodes: [Item.ID: Node] = [:]
    var roots: [Item.ID] = []

    /// Creates an empty outline.
    public init() {}
}

extension DiffableSectionSnapshot: Sendable where Item: Sendable {}
extension DiffableSectionSnapshot.Node: Sendable where Item: Sendable {}

/// An outline of `Hashable` values.
public typealias HashableSectionSnapshot<Item: Hashable & Sendable> = DiffableSectionSnapshot<HashableElement<Item>>

extension DiffableSectionSnapshot {
    /// The number of items, visible or not.
    public var numberOfItems: Int { nodes.count }

    /// All items, each before its descendants. O(n)
    public var items: [Item] { steps().map(\.node.item) }

    /// The items without a parent, in order. O(items returned)
    public var rootItems: [Item] { roots.compactMap { nodes[$0]?.item } }

    /// The visible items, each before its descendants. O(items returned)
    public var visibleItems: [Item] { steps(visibleOnly: true).map(\.node.item) }

    /// Returns true if an item has this identifier.
    public func contains(_ identifier: Item.ID) -> Bool { nodes[identifier] != nil }

    /// Returns the item with this identifier; nil if there is none.
    public func item(for identifier: Item.ID) -> Item? { nodes[identifier]?.item }

    /// Returns the index of an item among all items; nil if there is no such item. O(n)
    public func index(of identifier: Item.ID) -> Int? {
        contains(identifier) ? steps().firstIndex { $0.id == identifier } : nil
    }

    /// Returns the parent of an item; nil for a root, or if there is no such item.
    public func parent(of identifier: Item.ID) -> Item? { nodes[identifier]?.parent.flatMap { nodes[$0]?.item } }

    /// Returns the children of an item in order; empty if there is no such item. O(items returned)
    public func children(of identifier: Item.ID) -> [Item] {
        nodes[identifier]?.children.compactMap { nodes[$0]?.item } ?? []
    }

    /// Returns the number of ancestors of an item: 0 for a root. Nil if there is no such item. O(level)
    public func level(of identifier: Item.ID) -> Int? {
        contains(identifier) ? ancestors(of: identifier).reduce(0) { count, _ in count + 1 } : nil
    }

    /// Returns true if an item is expanded; false if there is no such item.
    public func isExpanded(_ identifier: Item.ID) -> Bool { nodes[identifier]?.isExpanded ?? false }

    /// Returns true if an item is visible; false if there is no such item. O(level)
    public func isVisible(_ identifier: Item.ID) -> Bool {
        contains(identifier) && ancestors(of: identifier).allSatisfy(isExpanded)
    }

    /// Returns the descendants of `parent` as an outline. If `includingParent` is true, the parent is the root of this
    /// outline. Otherwise the children of the parent are its roots. Items keep their expansion. Empty if there is no
    /// such item. O(items returned)
    public func snapshot(of parent: Item.ID, includingParent: Bool = false) -> DiffableSectionSnapshot {
        var branch = DiffableSectionSnapshot()
        guard let node = nodes[parent] else { return branch }
        branch.roots = includingParent ? [parent] : node.children
        for step in steps(from: branch.roots) { branch.nodes[step.id] = step.node }
        for root in branch.roots { branch.nodes[root]?.parent = nil }
        return branch
    }
}

extension DiffableSectionSnapshot {
    /// An item with its level, which is 0 for the first ones.
    typealias Step = (id: Item.ID, node: Node, level: Int)

    /// Returns items and their descendants, each item before its own descendants; the roots if `first` is nil.
    func steps(from first: [Item.ID]? = nil, visibleOnly: Bool = false) -> [Step] {
        var steps: [Step] = []
        // The items that follow, the next one last.
        var rest = (first ?? roots).reversed().map { ($0, 0) }
        while let (id, level) = rest.popLast() {
            guard let node = nodes[id] else { continue }
            steps.append((id, node, level))
            if visibleOnly && !node.isExpanded { continue }
            rest += node.children.reversed().map { ($0, level + 1) }
        }
        return steps
    }

    /// Returns the ancestors of an item, the nearest first.
    private func ancestors(of identifier: Item.ID) -> some Sequence<Item.ID> {
        sequence(state: identifier) { id in
            guard let parent = nodes[id]?.parent else { return nil }
            id = parent
            return parent
        }
    }
}

extension DiffableSectionSnapshot: Equatable {
    /// Returns true if both have equal items in the same order, on the same levels and with the same expansion. O(n)
    public static func == (a: DiffableSectionSnapshot, b: DiffableSectionSnapshot) -> Bool {
        a.numberOfItems == b.numberOfItems
            && zip(a.steps(), b.steps()).allSatisfy { one, other in
                one.level == other.level && one.id == other.id && one.node.item == other.node.item
                    && one.node.isExpanded == other.node.isExpanded
            }
    }
}

extension DiffableSectionSnapshot: CustomStringConvertible {
    /// The same as `visualDescription()`.
    public var description: String { visualDescription() }

    /// Returns the identifiers of all items in lines that are indented by level. A symbol precedes each identifier: `+`
    /// for an expanded item, `-` for a collapsed item with children, and `*` for a collapsed item without children.
    ///
    /// The text is printable ASCII. From level 32 on, lines have the level in brackets and no deeper indentation. So
    /// the length of the text is O(n).
    public func visualDescription() -> String {
        steps().map { step in
            let indentation = String(repeating: "  ", count: min(step.level, 32))
            let level = step.level < 32 ? "" : "[\(step.level)] "
            let symbol = step.node.isExpanded ? "+" : step.node.children.isEmpty ? "*" : "-"
            let name = "\(step.id)".unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return "\(indentation)\(level)\(symbol) \(name)"
        }.joined(separator: "\n")
    }
}

extension DiffableDataSource {
    /// Shows the visible items of an outline as the items of a section. Observers get the difference.
    ///
    /// - Throws: `DiffableError` with `unknownSection`, or with `duplicateItem` if another section has one of the items.
    public func apply(
        _ outline: DiffableSectionSnapshot<Item>, to section: Section.ID, animatingDifferences: Bool = true
    ) throws(DiffableError) {
        var next = snapshot()
        try next.replaceItems(inSection: section, with: outline.visibleItems)
        try apply(next, animatingDifferences: animatingDifferences)
    }
}
