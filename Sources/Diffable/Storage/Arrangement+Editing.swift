extension Arrangement {
    @inlinable
    mutating func appendSections(_ count: Int) {
        bounds.append(contentsOf: repeatElement(bounds[sectionCount], count: count))
    }

    /// Inserts unused slots at a position of a section. O(p), or O(log p) at the end of the last section
    @inlinable
    mutating func insert(_ slots: Range<Slot>, atPosition position: Int, inSection section: Int) {
        guard !slots.isEmpty else { return }
        let count = Int(slots.count)
        var extent = Int(bounds[section + 1])
        if position < positions(ofSection: section).upperBound {
            extent = self.extent(atPosition: position)
            let offset = position - self.position(ofExtent: extent)
            if offset > 0 {
                split(extent, at: offset, inSection: section)
                extent += 1
            }
        }
        if extent > Int(bounds[section]), self.slots(ofExtent: extent - 1).upperBound == slots.lowerBound {
            shiftEndPositions(from: extent - 1, by: count)
        } else {
            insertExtent(slots.lowerBound, end: UInt32(truncatingIfNeeded: position), at: extent, inSection: section)
            shiftEndPositions(from: extent, by: count)
        }
    }

    /// Removes the slot of an existing position. O(p)
    @inlinable
    mutating func remove(atPosition position: Int) {
        var extent = extent(atPosition: position)
        let offset = position - self.position(ofExtent: extent)
        let count = count(ofExtent: extent)
        if count == 1 {
            removeExtent(extent)
        } else if offset == 0 {
            firstSlots[extent] += 1
        } else if offset < count - 1 {
            split(extent, at: offset, inSection: section(ofExtent: extent))
            extent += 1
            firstSlots[extent] += 1
        }
        shiftEndPositions(from: extent, by: -1)
    }

    /// Replaces a slot with an unused one. O(p)
    @inlinable
    mutating func replace(_ slot: Slot, with other: Slot) {
        guard let position = position(ofSlot: slot) else { return }
        let section = section(atPosition: position)
        remove(atPosition: position)
        insert(other..<other + 1, atPosition: position, inSection: section)
    }

    /// Moves the slot of one position before another position in `section`. O(p)
    ///
    /// `target` is a position before the move, and may be the end of the section.
    @inlinable
    mutating func move(fromPosition position: Int, toPosition target: Int, inSection section: Int) {
        let slot = slot(atPosition: position)
        remove(atPosition: position)
        insert(slot..<slot + 1, atPosition: position < target ? target - 1 : target, inSection: section)
    }

    /// Divides an extent in two. The second one begins `offset` slots after the first slot of the first one.
    @inlinable
    mutating func split(_ extent: Int, at offset: Int, inSection section: Int) {
        let end = endPositions[extent]
        endPositions[extent] = UInt32(truncatingIfNeeded: position(ofExtent: extent) + offset)
        let start = firstSlots[extent] + Slot(truncatingIfNeeded: offset)
        insertExtent(start, end: end, at: extent + 1, inSection: section)
    }

    /// Inserts an extent that begins with a slot and ends at a position. The later end positions do not change.
    @inlinable
    mutating func insertExtent(_ start: Slot, end: UInt32, at extent: Int, inSection section: Int) {
        let index = firstIndex(below: byFirstSlot.count) { firstSlots[Int(byFirstSlot[$0])] > start }
        if extent < firstSlots.count { byFirstSlot.add(1, whereAtLeast: UInt32(truncatingIfNeeded: extent)) }
        byFirstSlot.insert(UInt32(truncatingIfNeeded: extent), at: index)
        firstSlots.insert(start, at: extent)
        endPositions.insert(end, at: extent)
        bounds.add(1, from: section + 1)
    }

    /// Removes an extent. The later end positions do not change.
    @inlinable
    mutating func removeExtent(_ extent: Int) {
        let section = section(ofExtent: extent)
        let start = firstSlots[extent]
        byFirstSlot.remove(at: firstIndex(below: byFirstSlot.count) { firstSlots[Int(byFirstSlot[$0])] >= start })
        byFirstSlot.add(UInt32.max, whereAtLeast: UInt32(truncatingIfNeeded: extent))
        firstSlots.remove(at: extent)
        endPositions.remove(at: extent)
        bounds.add(UInt32.max, from: section + 1)
    }

    /// Adds a number, which may be negative, to the end positions from an extent on.
    @inlinable
    mutating func shiftEndPositions(from extent: Int, by count: Int) {
        endPositions.add(UInt32(truncatingIfNeeded: count), from: extent)
    }
}

// Additions wrap, so adding `UInt32.max` subtracts one. The loops use a pointer, so that the compiler vectorizes them.
extension ContiguousArray<UInt32> {
    /// Adds a number to the elements from an index on.
    @usableFromInline
    mutating func add(_ summand: UInt32, from first: Int) {
        withUnsafeMutableBufferPointer { numbers in
            for index in Swift.min(first, numbers.count)..<numbers.count { numbers[index] &+= summand }
        }
    }

    /// Adds a number to the elements that are at least `limit`.
    @usableFromInline
    mutating func add(_ summand: UInt32, whereAtLeast limit: UInt32) {
        withUnsafeMutableBufferPointer { numbers in
            for index in numbers.indices { numbers[index] &+= numbers[index] >= limit ? summand : 0 }
        }
    }
}

extension Arrangement {
    /// Removes the items at ascending positions, which may repeat. O(p log p + positions)
    @inlinable
    mutating func remove(atPositions positions: [Int]) {
        if positions.isEmpty { return }
        if positions.count == 1 { return remove(atPosition: positions[0]) }
        var builder = ArrangementBuilder()
        var next = 0
        for section in 0..<sectionCount {
            for extent in extents(ofSection: section) {
                let slots = slots(ofExtent: extent)
                let first = position(ofExtent: extent)
                var start = slots.lowerBound
                while next < positions.count, positions[next] < Int(endPositions[extent]) {
                    let slot = slots.lowerBound + Slot(truncatingIfNeeded: positions[next] - first)
                    if slot >= start { builder.append(start..<slot) }
                    start = slot + 1
                    next += 1
                }
                builder.append(start..<slots.upperBound)
            }
            builder.endSection()
        }
        self = builder.finish()
    }

    /// Reorders the sections. `order` has the current index of each section. Other sections are removed with their
    /// items. O(p log p)
    @inlinable
    mutating func rearrangeSections(_ order: [Int]) {
        var builder = ArrangementBuilder()
        for section in order {
            for extent in extents(ofSection: section) { builder.append(slots(ofExtent: extent)) }
            builder.endSection()
        }
        self = builder.finish()
    }

    /// Returns the arrangement after compaction: the slot of each item is its position.
    @inlinable
    func compacted() -> Arrangement {
        var builder = ArrangementBuilder()
        for section in 0..<sectionCount {
            let positions = positions(ofSection: section)
            builder.append(
                Slot(truncatingIfNeeded: positions.lowerBound)..<Slot(truncatingIfNeeded: positions.upperBound))
            builder.endSection()
        }
        return builder.finish()
    }
}
