/// Builds an arrangement from front to back.
@usableFromInline
struct ArrangementBuilder {
    @usableFromInline var result = Arrangement()
    @usableFromInline var current = SectionExtents()
    /// The number of slots so far.
    @usableFromInline var count = 0

    @inlinable init() {}

    /// Appends slots to the current section.
    @inlinable
    mutating func append(_ slots: Range<Slot>) {
        guard !slots.isEmpty else { return }
        count += slots.count
        _ = current.append(slots)
    }

    /// Ends the current section and begins another.
    @inlinable
    mutating func endSection() {
        result.sections.append(current)
        result.starts.append(UInt32(truncatingIfNeeded: count))
        current = SectionExtents()
    }

    /// Returns the arrangement. O(p), or O(p log p) if the slots are not ascending
    @inlinable
    mutating func finish() -> Arrangement {
        result.indexExtents()
        return result
    }
}

extension Arrangement {
    /// Makes the index of the extents. O(p), or O(p log p) if the slots are not ascending
    @inlinable
    mutating func indexExtents() {
        index = ExtentIndex(capacity: sections.reduce(0) { $0 + $1.count })
        var isAscending = true
        var last: Slot = 0
        for section in sections.indices {
            for extent in 0..<sections[section].count {
                let firstSlot = sections[section][extent].firstSlot
                if firstSlot < last { isAscending = false }
                last = firstSlot
                index.append(firstSlot, section: section, extent: extent)
            }
        }
        if !isAscending { index.sort() }
    }
}
