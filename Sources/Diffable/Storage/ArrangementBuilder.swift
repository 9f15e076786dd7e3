/// Builds an arrangement from front to back.
@usableFromInline
struct ArrangementBuilder {
    @usableFromInline var result = Arrangement()
    @usableFromInline var end: UInt32 = 0

    @inlinable init() {}

    /// The number of slots so far.
    @inlinable var count: Int { Int(end) }

    /// Appends slots to the current section.
    @inlinable
    mutating func append(_ slots: Range<Slot>) {
        guard !slots.isEmpty else { return }
        end += UInt32(truncatingIfNeeded: slots.count)
        let last = result.extentCount - 1
        if last >= Int(result.bounds[result.sectionCount]), result.slots(ofExtent: last).upperBound == slots.lowerBound
        {
            result.endPositions[last] = end
        } else {
            result.firstSlots.append(slots.lowerBound)
            result.endPositions.append(end)
        }
    }

    /// Ends the current section and begins another.
    @inlinable mutating func endSection() { result.bounds.append(UInt32(truncatingIfNeeded: result.extentCount)) }

    /// Returns the arrangement. O(p), or O(p log p) if the slots are not ascending
    @inlinable
    mutating func finish() -> Arrangement {
        let firstSlots = result.firstSlots
        result.byFirstSlot = ContiguousArray(0..<UInt32(truncatingIfNeeded: firstSlots.count))
        result.byFirstSlot.sort { firstSlots[Int($0)] < firstSlots[Int($1)] }
        return result
    }
}
