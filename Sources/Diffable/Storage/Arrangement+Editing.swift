extension Arrangement {
    @usableFromInline
    mutating func appendSections(_ count: Int) {
        ends.append(contentsOf: repeatElement(UInt32(itemCount), count: count))
        if isCompact { return }
        uniqueExtents().sections.append(contentsOf: repeatElement(SectionExtents(), count: count))
    }

    /// Appends slots to a section. They must be larger than those of all items. O(1) amortized; also adds a number to
    /// the start of each later section
    @usableFromInline
    mutating func append(_ slots: Range<Slot>, toSection section: Int) {
        guard !slots.isEmpty else { return }
        if !isCompact || Int(slots.lowerBound) != itemCount || Int(ends[section]) != itemCount {
            let extents = uniqueExtents()
            if extents.sections[section].append(slots) {
                let extent = extents.sections[section].count - 1
                extents.index.append(slots.lowerBound, section: section, extent: extent)
            }
        }
        ends.add(UInt32(truncatingIfNeeded: slots.count), from: section)
    }

    /// Returns the extents for an edit: makes those of a compact arrangement in O(sections), and copies shared ones.
    private mutating func uniqueExtents() -> Extents {
        if !isKnownUniquelyReferenced(&extents) { extents = extents.map { Extents($0.sections, $0.index) } }
        if let extents { return extents }
        let new = Extents(
            ContiguousArray(
                (0..<sectionCount).map { section in
                    var extents = SectionExtents()
                    _ = extents.append(UInt32(start(ofSection: section))..<ends[section])
                    return extents
                }))
        extents = new
        return new
    }

    /// Returns the arrangement after compaction: the slot of each item is its position.
    @usableFromInline
    func compacted() -> Arrangement {
        var result = Arrangement()
        result.ends = ends
        return result
    }

    /// Inserts unused slots at a position of a section. O(p)
    @usableFromInline
    mutating func insert(_ slots: Range<Slot>, atPosition position: Int, inSection section: Int) {
        guard !slots.isEmpty else { return }
        uniqueExtents().insert(slots, atOffset: position - start(ofSection: section), inSection: section)
        ends.add(UInt32(truncatingIfNeeded: slots.count), from: section)
    }

    /// Removes the slot of an existing position. O(p)
    private mutating func remove(atPosition position: Int) {
        let section = section(atPosition: position)
        uniqueExtents().remove(atOffset: position - start(ofSection: section), inSection: section)
        // The addition wraps.
        ends.add(.max, from: section)
    }

    /// Replaces a slot with an unused one. O(p)
    @usableFromInline
    mutating func replace(_ slot: Slot, with other: Slot) {
        guard let position = position(ofSlot: slot) else { return }
        let section = section(atPosition: position)
        remove(atPosition: position)
        insert(other..<other + 1, atPosition: position, inSection: section)
    }

    /// Moves the slot of one position before another position in `section`. O(p)
    ///
    /// `target` is a position before the move, and may be the end of the section.
    @usableFromInline
    mutating func move(fromPosition position: Int, toPosition target: Int, inSection section: Int) {
        let slot = slot(atPosition: position)
        remove(atPosition: position)
        insert(slot..<slot + 1, atPosition: position < target ? target - 1 : target, inSection: section)
    }
}

extension Extents {
    /// Inserts unused slots at an offset of a section. O(p)
    func insert(_ slots: Range<Slot>, atOffset offset: Int, inSection section: Int) {
        let isEnd = offset == sections[section].offset(ofExtent: sections[section].count)
        let extent = isEnd ? sections[section].count : sections[section].extent(atOffset: offset)
        if sections[section].offset(ofExtent: extent) < offset {
            let (rest, end) = (sections[section].slot(atOffset: offset), sections[section][extent].end)
            shiftIndices(by: 2, ofSection: section, from: extent + 1)
            // The end is last: writing it first would copy a shared array without room for the insertions.
            insertExtent(slots.lowerBound, end: UInt32(truncatingIfNeeded: offset), at: extent + 1, inSection: section)
            insertExtent(rest, end: end, at: extent + 2, inSection: section)
            sections[section][extent].end = UInt32(truncatingIfNeeded: offset)
            sections[section].addToEnds(UInt32(truncatingIfNeeded: slots.count), from: extent + 1)
        } else if extent > 0, sections[section].slots(ofExtent: extent - 1).upperBound == slots.lowerBound {
            sections[section].addToEnds(UInt32(truncatingIfNeeded: slots.count), from: extent - 1)
        } else {
            shiftIndices(by: 1, ofSection: section, from: extent)
            insertExtent(slots.lowerBound, end: UInt32(truncatingIfNeeded: offset), at: extent, inSection: section)
            sections[section].addToEnds(UInt32(truncatingIfNeeded: slots.count), from: extent)
        }
    }

    /// Removes the slot of an existing offset of a section. O(p)
    func remove(atOffset offset: Int, inSection section: Int) {
        var extent = sections[section].extent(atOffset: offset)
        let slots = sections[section].slots(ofExtent: extent)
        let slot = sections[section].slot(atOffset: offset)
        if slots.count == 1 {
            index.remove(sections[section].extents.remove(at: extent).firstSlot)
            shiftIndices(by: -1, ofSection: section, from: extent)
        } else if slot == slots.lowerBound {
            sections[section][extent].firstSlot = slot + 1
            index.removeFirstSlot(slot)
        } else if slot + 1 < slots.upperBound {
            shiftIndices(by: 1, ofSection: section, from: extent + 1)
            insertExtent(slot + 1, end: sections[section][extent].end, at: extent + 1, inSection: section)
            sections[section][extent].end = UInt32(truncatingIfNeeded: offset)
            extent += 1
        }
        // The addition wraps.
        sections[section].addToEnds(.max, from: extent)
    }

    /// Inserts an extent that begins with a slot and ends at an offset. The indices and ends of later extents do not
    /// change.
    private func insertExtent(_ start: Slot, end: UInt32, at extent: Int, inSection section: Int) {
        index.insert(start, section: section, extent: extent)
        sections[section].extents.insertWithRoom(.init(firstSlot: start, end: end), at: extent)
    }

    /// Adds `count`, which may be negative, to the indices of the extents of a section from index `extent` on.
    private func shiftIndices(by count: Int, ofSection section: Int, from extent: Int) {
        if extent < sections[section].count { index.shift(by: count, section: section, from: extent) }
    }
}

extension ContiguousArray {
    /// Inserts an element. A short array first gets room for more elements. Otherwise, several of the first insertions
    /// into a copy would each allocate the array again.
    mutating func insertWithRoom(_ element: Element, at index: Int) {
        if count < 8 { reserveCapacity(16) }
        insert(element, at: index)
    }
}

extension ContiguousArray<UInt32> {
    /// Adds a number to the elements from an index on. The addition wraps, so `UInt32.max` subtracts one. The loop uses
    /// a pointer, so that the compiler vectorizes it.
    mutating func add(_ summand: UInt32, from first: Int) {
        withUnsafeMutableBufferPointer { numbers in
            for index in Swift.min(first, numbers.count)..<numbers.count { numbers[index] &+= summand }
        }
    }
}

extension Arrangement {
    /// Removes the items at ascending positions, which may repeat. O(p log p + positions)
    @usableFromInline
    mutating func remove(atPositions positions: [Int]) {
        if positions.count == 1 { return remove(atPosition: positions[0]) }
        var builder = ArrangementBuilder()
        var next = 0
        var end = 0
        for section in 0..<sectionCount {
            forEachExtent(in: self.positions(ofSection: section)) { slots in
                let first = end
                end += slots.count
                var start = slots.lowerBound
                while next < positions.count, positions[next] < end {
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
    @usableFromInline
    mutating func rearrangeSections(_ order: [Int]) {
        var builder = ArrangementBuilder()
        for section in order {
            forEachExtent(in: positions(ofSection: section)) { builder.append($0) }
            builder.endSection()
        }
        self = builder.finish()
    }
}
