/// Builds an arrangement from front to back.
struct ArrangementBuilder {
    private var ends: ContiguousArray<UInt32> = []
    private var sections: ContiguousArray<SectionExtents> = []
    private var current = SectionExtents()
    private var isCompact = true
    /// The number of slots so far.
    private(set) var count = 0

    /// Appends slots to the current section.
    mutating func append(_ slots: Range<Slot>) {
        guard !slots.isEmpty else { return }
        if Int(slots.lowerBound) != count { isCompact = false }
        count += slots.count
        _ = current.append(slots)
    }

    /// Ends the current section and begins another.
    mutating func endSection() {
        sections.append(current)
        ends.append(UInt32(truncatingIfNeeded: count))
        current = SectionExtents()
    }

    /// Returns the arrangement. O(p), or O(p log p) if the slots are not ascending
    func finish() -> Arrangement {
        var result = Arrangement()
        result.ends = ends
        if !isCompact { result.extents = Extents(sections) }
        return result
    }
}
