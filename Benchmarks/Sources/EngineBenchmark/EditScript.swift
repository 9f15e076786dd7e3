import Diffable

/// Ten edits of single items at random positions: three inserted, three deleted, two moved, two updated.
struct EditScript<Item: BenchmarkItem> {
    enum Edit {
        case insert(Item, before: Item.ID)
        case delete(Item.ID)
        case move(Item.ID, before: Item.ID)
        case update(Item)
    }

    static var count: Int { 10 }
    private(set) var edits: [Edit] = []

    /// Makes the next edits of a list with exactly the items in `live`, in any order. No item is in two edits.
    init(of live: inout [Int], fresh: inout Int, using random: inout SplitMix64) {
        var chosen = Shape.distinct(12, below: live.count, using: &random)[...]
        func next() -> Item.ID { Item.ID(number: live[chosen.popFirst()!]) }
        for _ in 0..<2 {
            // The number is new, so the content differs from every earlier one.
            let content = UInt32.max - UInt32(truncatingIfNeeded: fresh)
            edits.append(.update(Item(number: live[chosen.popFirst()!], content: content)))
            edits.append(.move(next(), before: next()))
        }
        for _ in 0..<3 {
            edits.append(.insert(Item(number: fresh, content: UInt32(truncatingIfNeeded: fresh)), before: next()))
            let place = chosen.popFirst()!
            edits.append(.delete(Item.ID(number: live[place])))
            live[place] = fresh
            fresh += 1
        }
    }

    func perform(on snapshot: inout Snapshot<Item>) throws {
        for edit in edits {
            switch edit {
            case .insert(let item, let neighbour): try snapshot.insertItems([item], beforeItem: neighbour)
            case .delete(let id): try snapshot.deleteItems([id])
            case .move(let id, let neighbour): try snapshot.moveItem(id, beforeItem: neighbour)
            case .update(let item): try snapshot.replace(item)
            }
        }
    }
}
