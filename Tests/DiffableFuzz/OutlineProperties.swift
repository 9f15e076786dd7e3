import Diffable
import DiffableOutlines

/// The properties of an outline that was decoded from any bytes.
struct OutlineProperties<ID: FuzzIdentifier> {
    private typealias Outline = DiffableSectionSnapshot<Thing<ID>>

    /// The decoded outline; nil if the bytes were refused.
    private let decoded: Outline?

    init(from source: ByteSource) {
        decoded = try? Outline(from: ByteDecoder(source: source))
    }

    func check() throws {
        if let decoded { try checkIsWhole(decoded) }
    }

    /// Checks that no identifier occurs twice, and that levels, parents and children agree with the order.
    private func checkIsWhole(_ outline: Outline) throws {
        let items = outline.items
        try verify(items.count == outline.numberOfItems, "numberOfItems is wrong")
        try verify(Set(items.map(\.id)).count == items.count, "an item is in the outline twice")
        var path: [ID] = []
        for (index, item) in items.enumerated() {
            let level = outline.level(of: item.id) ?? -1
            try verify((0...path.count).contains(level), "level(of:) is wrong")
            path.removeSubrange(level...)
            try verify(outline.parent(of: item.id)?.id == path.last, "parent(of:) is wrong")
            try verify(outline.isVisible(item.id) == path.allSatisfy(outline.isExpanded), "isVisible is wrong")
            try verify(outline.index(of: item.id) == index, "index(of:) is wrong")
            try verify(outline.item(for: item.id) == item, "item(for:) is wrong")
            path.append(item.id)
        }
        let children = outline.rootItems + items.flatMap { outline.children(of: $0.id) }
        try verify(Set(children.map(\.id)) == Set(items.map(\.id)), "an item is not a child or a root")
        try verify(outline.visibleItems == items.filter { outline.isVisible($0.id) }, "visibleItems is wrong")
    }
}
