extension Shape {
    private static func plain(sections: Int, items: Int) -> [Section] {
        (0..<sections).map { Section(number: $0, items: Array($0 * items..<($0 + 1) * items)) }
    }

    static func equal(sections: Int, items: Int) -> Shape {
        Shape(before: plain(sections: sections, items: items), after: plain(sections: sections, items: items))
    }

    static func filled(sections: Int, items: Int) -> Shape {
        Shape(before: [], after: plain(sections: sections, items: items))
    }

    /// Replaces each item of each section.
    static func replaced(sections: Int, items: Int) -> Shape {
        let before = plain(sections: sections, items: items)
        return Shape(
            before: before,
            after: before.map { Section(number: $0.number, items: $0.items.map { $0 + sections * items }) })
    }

    /// Moves one item from the middle section to the middle of the first section.
    static func movedAcross(sections: Int, items: Int) -> Shape {
        var shape = equal(sections: sections, items: items)
        let item = shape.after[sections / 2].items.remove(at: items / 2)
        shape.after[0].items.insert(item, at: items / 2)
        return shape
    }

    /// Moves `moved` items to other sections, deletes half as many and inserts half as many. Three sections move, one
    /// is deleted with its items, and a new one has the same number of new items.
    static func edited(sections: Int, items: Int, moved: Int, seed: UInt64) -> Shape {
        var random = SplitMix64(seed: seed)
        var shape = equal(sections: sections, items: items)
        for _ in 0..<moved {
            let source = Int.random(in: 0..<sections, using: &random)
            let target = (source + Int.random(in: 1..<sections, using: &random)) % sections
            let item = removeAny(from: &shape.after[source].items, using: &random)
            let place = Int.random(in: 0...shape.after[target].items.count, using: &random)
            shape.after[target].items.insert(item, at: place)
        }
        for number in 0..<moved / 2 {
            let source = Int.random(in: 0..<sections, using: &random)
            let target = Int.random(in: 0..<sections, using: &random)
            _ = removeAny(from: &shape.after[source].items, using: &random)
            let fresh = sections * items + number
            insert(fresh..<fresh + 1, into: &shape.after[target].items, using: &random)
        }
        shape.after.remove(at: Int.random(in: 0..<shape.after.count, using: &random))
        for _ in 0..<3 {
            let section = shape.after.remove(at: Int.random(in: 0..<shape.after.count, using: &random))
            shape.after.insert(section, at: Int.random(in: 0...shape.after.count, using: &random))
        }
        let first = sections * items + moved
        shape.after.insert(
            Section(number: sections, items: Array(first..<first + items)),
            at: Int.random(in: 0...shape.after.count, using: &random))
        return shape
    }

    private static func removeAny(from items: inout [Int], using random: inout SplitMix64) -> Int {
        items.remove(at: Int.random(in: 0..<items.count, using: &random))
    }
}
