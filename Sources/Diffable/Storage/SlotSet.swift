/// A set of slots of one table, as flags: made in O(table), asked in O(1).
struct SlotSet {
    private var flags: [Bool]
    private(set) var count = 0

    init(limit: Int) {
        flags = Array(repeating: false, count: limit)
    }

    func contains(_ slot: Slot) -> Bool { flags[Int(slot)] }

    /// False where it was here already.
    mutating func insert(_ slot: Slot) -> Bool {
        guard !flags[Int(slot)] else { return false }
        flags[Int(slot)] = true
        count += 1
        return true
    }
}
