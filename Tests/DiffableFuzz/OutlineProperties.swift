import Diffable
import DiffableOutlines

/// The properties of an outline after edits, which any bytes choose.
struct OutlineProperties<ID: FuzzIdentifier> {
    private typealias Outline = DiffableSectionSnapshot<Thing<ID>>

    private let source: ByteSource

    init(from source: ByteSource) { self.source = source }

    func check() throws {
        var outline = Outline()
        for _ in 0..<source.int(below: 24) where !source.isAtEnd {
            let before = outline
            do {
                try edit(&outline)
            } catch {
                try verify(outline == before, "\(error), and the outline changed")
            }
            try checkIsWhole(outline)
        }
    }

    private func edit(_ outline: inout Outline) throws(DiffableError) {
        let id = anyIdentifier(in: outline)
        switch source.int(below: 11) {
        case 0: try outline.append([Thing(id: ID(number: source.int(below: 50)))], to: id)
        case 1: try outline.insert([Thing(id: ID(number: source.int(below: 50)))], before: id)
        case 2: try outline.insert([Thing(id: ID(number: source.int(below: 50)))], after: id)
        case 3: try outline.delete([id, anyIdentifier(in: outline)])
        case 4: try outline.replace(Thing(id: id, content: source.int(below: 4)))
        case 5: try outline.expand([id])
        case 6: try outline.collapse([id])
        case 7: try outline.replace(childrenOf: id, using: outline.snapshot(of: anyIdentifier(in: outline)))
        case 8:
            // If the neighbor is deleted with the branch, the outline must stay unchanged.
            var moved = outline
            let branch = moved.snapshot(of: id, includingParent: true)
            try moved.delete([id])
            try moved.insert(branch, after: anyIdentifier(in: outline))
            outline = moved
        case 9: try outline.append([Thing(id: ID(number: source.int(below: 50)))])
        default:
            let branch = outline.snapshot(of: id, includingParent: true)
            try outline.insert(branch, before: anyIdentifier(in: outline))
        }
    }

    /// An identifier, usually that of an existing item.
    private func anyIdentifier(in outline: Outline) -> ID {
        let number = source.int(below: 256)
        let items = outline.items
        return items.isEmpty || number >= 240 ? ID(number: number % 50) : items[number % items.count].id
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
