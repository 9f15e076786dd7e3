/// A list before and after a change, as numbers for items and sections.
///
/// A workload is a shape. The identifiers and items are made from the numbers once for each snapshot, so no two
/// snapshots share storage.
struct Shape {
    struct Section {
        var number: Int
        var items: [Int]
    }

    var before: [Section]
    var after: [Section]

    /// Makes a list with one section before and after.
    init(before: [Int], after: [Int]) {
        self.before = [Section(number: 0, items: before)]
        self.after = [Section(number: 0, items: after)]
    }

    init(before: [Section], after: [Section]) {
        self.before = before
        self.after = after
    }
}

extension Shape {
    /// Returns `count` items of which some are deleted at random positions, a run of neighbors among the others is
    /// shuffled, and new items are inserted at random positions.
    static func edited(count: Int, deleted: Int, inserted: Int, shuffled: Int, seed: UInt64) -> Shape {
        var random = SplitMix64(seed: seed)
        var after = Array(0..<count)
        delete(deleted, of: &after, using: &random)
        let first = Int.random(in: 0...after.count - shuffled, using: &random)
        after[first..<first + shuffled].shuffle(using: &random)
        insert(count..<count + inserted, into: &after, using: &random)
        return Shape(before: Array(0..<count), after: after)
    }

    /// Returns a list with a few edits of one item each.
    static func touched(count: Int, deleted: Int, inserted: Int, moved: Int, seed: UInt64) -> Shape {
        var random = SplitMix64(seed: seed)
        var after = Array(0..<count)
        delete(deleted, of: &after, using: &random)
        for _ in 0..<moved {
            let item = after.remove(at: Int.random(in: 0..<after.count, using: &random))
            after.insert(item, at: Int.random(in: 0...after.count, using: &random))
        }
        insert(count..<count + inserted, into: &after, using: &random)
        return Shape(before: Array(0..<count), after: after)
    }

    static func reversed(count: Int) -> Shape { Shape(before: Array(0..<count), after: (0..<count).reversed()) }

    static func firstToLast(count: Int) -> Shape { Shape(before: Array(0..<count), after: Array(1..<count) + [0]) }

    static func insertedInFront(count: Int) -> Shape { Shape(before: Array(0..<count), after: [count] + (0..<count)) }

    static func equal(count: Int) -> Shape { Shape(before: Array(0..<count), after: Array(0..<count)) }

    static func replaced(count: Int) -> Shape {
        Shape(before: Array(0..<count), after: Array(count..<2 * count))
    }

    static func filled(count: Int) -> Shape { Shape(before: [], after: Array(0..<count)) }

    /// The shape of the opposite change.
    var inverse: Shape { Shape(before: after, after: before) }

    static func shuffled(count: Int, seed: UInt64) -> Shape {
        var random = SplitMix64(seed: seed)
        return Shape(before: Array(0..<count), after: (0..<count).shuffled(using: &random))
    }

    private static func delete(_ count: Int, of items: inout [Int], using random: inout SplitMix64) {
        let deleted = Set(distinct(count, below: items.count, using: &random))
        items = items.indices.filter { !deleted.contains($0) }.map { items[$0] }
    }

    /// Inserts new items at random positions.
    static func insert(_ new: Range<Int>, into items: inout [Int], using random: inout SplitMix64) {
        let count = items.count + new.count
        let places = Set(distinct(new.count, below: count, using: &random))
        var (fresh, kept) = (new.makeIterator(), items.makeIterator())
        items = (0..<count).map { (places.contains($0) ? fresh.next() : kept.next())! }
    }

    /// Returns `count` different numbers below `limit`.
    static func distinct(_ count: Int, below limit: Int, using random: inout SplitMix64) -> [Int] {
        var numbers: Set<Int> = []
        var inOrder: [Int] = []
        while inOrder.count < count {
            let number = Int.random(in: 0..<limit, using: &random)
            if numbers.insert(number).inserted { inOrder.append(number) }
        }
        return inOrder
    }
}
