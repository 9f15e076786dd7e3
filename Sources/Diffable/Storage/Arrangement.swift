/// The order of the item slots of a snapshot, in sections.
///
/// Slots that follow one another are one *stretch*, so that a snapshot as it was built is one stretch a section, an edit
/// adds a stretch or two, and a copy costs little. A section is known by its index here. With `p` stretches, finding a
/// slot or a position is O(log p), and an edit in the middle O(p), in arrays of plain integers.
@usableFromInline
struct Arrangement: Sendable, Equatable {
    /// Stretch `k` holds `starts[k]` and the slots behind it, as many as its positions are.
    @usableFromInline var starts: ContiguousArray<Slot> = []
    /// Stretch `k` has the positions, counted over all sections, from `ends[k - 1]` up to `ends[k]`.
    @usableFromInline var ends: ContiguousArray<UInt32> = []
    /// The stretches by ascending start.
    @usableFromInline var byStart: ContiguousArray<UInt32> = []
    /// Section `x` has the stretches from `bounds[x]` up to `bounds[x + 1]`.
    @usableFromInline var bounds: ContiguousArray<UInt32> = [0]

    @inlinable
    init() {}

    @inlinable var itemCount: Int { Int(ends.last ?? 0) }
    @inlinable var sectionCount: Int { bounds.count - 1 }
    @inlinable var stretchCount: Int { starts.count }

    /// Whether the slot of each item is its position.
    @inlinable var isPlain: Bool {
        var end: UInt32 = 0
        for stretch in starts.indices {
            if starts[stretch] != end { return false }
            end = ends[stretch]
        }
        return true
    }

    @inlinable
    func position(ofStretch stretch: Int) -> Int {
        stretch == 0 ? 0 : Int(ends[stretch - 1])
    }

    @inlinable
    func count(ofStretch stretch: Int) -> Int {
        Int(ends[stretch]) - position(ofStretch: stretch)
    }

    @inlinable
    func count(ofStretches stretches: Range<Int>) -> Int {
        position(ofStretch: stretches.upperBound) - position(ofStretch: stretches.lowerBound)
    }

    /// The slots of a stretch.
    @inlinable
    func slots(ofStretch stretch: Int) -> Range<Slot> {
        let start = starts[stretch]
        return start..<start + Slot(truncatingIfNeeded: count(ofStretch: stretch))
    }

    @inlinable
    func stretches(ofSection section: Int) -> Range<Int> {
        Int(bounds[section])..<Int(bounds[section + 1])
    }

    /// The positions of a section's items among all items.
    @inlinable
    func positions(ofSection section: Int) -> Range<Int> {
        position(ofStretch: Int(bounds[section]))..<position(ofStretch: Int(bounds[section + 1]))
    }

    /// Returns the stretch of a slot; nil if the slot is unused.
    @inlinable
    func stretch(ofSlot slot: Slot) -> Int? {
        let behind = firstIndex(below: byStart.count) { starts[Int(byStart[$0])] > slot }
        guard behind > 0 else { return nil }
        let stretch = Int(byStart[behind - 1])
        return Int(slot - starts[stretch]) < count(ofStretch: stretch) ? stretch : nil
    }

    /// The stretch that holds the item at a position that is there.
    @inlinable
    func stretch(atPosition position: Int) -> Int {
        firstIndex(below: ends.count) { Int(ends[$0]) > position }
    }

    @inlinable
    func section(ofStretch stretch: Int) -> Int {
        firstIndex(below: bounds.count) { Int(bounds[$0]) > stretch } - 1
    }

    @inlinable
    func section(atPosition position: Int) -> Int {
        section(ofStretch: stretch(atPosition: position))
    }

    /// Returns the position of a slot among all items; nil if it is unused.
    @inlinable
    func position(ofSlot slot: Slot) -> Int? {
        guard let stretch = stretch(ofSlot: slot) else { return nil }
        return position(ofStretch: stretch) + Int(slot - starts[stretch])
    }

    /// Returns the stretch of an existing position. It is searched for first at the expected place and after it.
    @inlinable
    func stretch(atPosition position: Int, from expected: Int) -> Int {
        if expected < starts.count, position >= self.position(ofStretch: expected) {
            if position < Int(ends[expected]) { return expected }
            if expected + 1 < starts.count, position < Int(ends[expected + 1]) { return expected + 1 }
        }
        return stretch(atPosition: position)
    }

    @inlinable
    func slot(atPosition position: Int, inStretch stretch: Int) -> Slot {
        starts[stretch] + Slot(truncatingIfNeeded: position - self.position(ofStretch: stretch))
    }

    /// The slot at a position that is there.
    @inlinable
    func slot(atPosition position: Int) -> Slot {
        slot(atPosition: position, inStretch: stretch(atPosition: position))
    }

    /// Returns the first number below `limit` for which `isBehind` is true, if it is also true for all later ones;
    /// `limit` if there is none.
    @inlinable
    func firstIndex(below limit: Int, where isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = limit
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
