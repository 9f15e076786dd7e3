/// Finds the node of an identifier by its hash: open addressing, half of the buckets empty.
///
/// A bucket has the node and its hash, so an identifier is only compared if all 32 bits are equal, and growing and
/// removing hash nothing.
@usableFromInline
struct NodeIndex: Sendable {
    @usableFromInline typealias Node = Outline.Node

    @usableFromInline
    struct Bucket: Sendable {
        @usableFromInline var hash: UInt32 = 0
        // The root has no identifier: its number marks an empty bucket.
        @usableFromInline var node = Outline.none

        @inlinable init() {}

        @inlinable
        init(_ node: Node, hash: UInt32) {
            self.hash = hash
            self.node = node
        }
    }

    @usableFromInline private(set) var buckets = ContiguousArray(repeating: Bucket(), count: 2)
    @usableFromInline private(set) var count = 0

    @usableFromInline init() {}

    /// Returns the node with a hash that `matches`; none if there is none.
    @inlinable
    func node(of hash: UInt32, where matches: (Node) -> Bool) -> Node {
        let mask = buckets.count - 1
        var position = Int(hash) & mask
        while true {
            let bucket = buckets[position]
            if bucket.node == Outline.none || (bucket.hash == hash && matches(bucket.node)) { return bucket.node }
            position = (position + 1) & mask
        }
    }

    /// Takes in a node whose identifier is known not to be here.
    @usableFromInline
    mutating func insert(_ node: Node, hash: UInt32) {
        reserve(1)
        place(Bucket(node, hash: hash))
        count += 1
    }

    /// Makes room for so many more.
    @usableFromInline
    mutating func reserve(_ additional: Int) {
        guard (count + additional) * 2 > buckets.count else { return }
        var capacity = buckets.count * 2
        while capacity < (count + additional) * 2 { capacity *= 2 }
        let old = buckets
        buckets = ContiguousArray(repeating: Bucket(), count: capacity)
        for bucket in old where bucket.node != Outline.none { place(bucket) }
    }

    /// Takes out a node that is here.
    @usableFromInline
    mutating func remove(_ node: Node, hash: UInt32) {
        let mask = buckets.count - 1
        var hole = Int(hash) & mask
        while buckets[hole].node != node { hole = (hole + 1) & mask }
        // No search may stop early at the hole: what was pushed past it moves back.
        var next = (hole + 1) & mask
        while buckets[next].node != Outline.none {
            let home = Int(buckets[next].hash) & mask
            if (next - home) & mask >= (next - hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        buckets[hole] = Bucket()
        count -= 1
    }

    private mutating func place(_ bucket: Bucket) {
        let mask = buckets.count - 1
        var position = Int(bucket.hash) & mask
        while buckets[position].node != Outline.none { position = (position + 1) & mask }
        buckets[position] = bucket
    }
}
