import CHeapCount

/// What a call took from the heap.
struct HeapUse {
    /// The most that was live at once, above what was live before the call.
    let peakBytes: Int
    let allocations: Int

    /// The result of `body`, and what it took.
    static func counting<Output>(_ body: () throws -> Output) rethrows -> (Output, HeapUse) {
        heapcount_start()
        defer { _ = heapcount_stop() }
        let output = try body()
        let count = heapcount_stop()
        return (output, HeapUse(peakBytes: Int(count.peak_bytes), allocations: Int(count.allocations)))
    }
}

/// Uses `value` in a way the compiler cannot look into, so that what made it is not optimised away.
@inline(never)
func consume<Value>(_ value: borrowing Value) {
    withUnsafePointer(to: value) { heapcount_consume($0) }
}
