import CHeapCount

/// The heap usage of a call.
struct HeapUse {
    /// The peak of live bytes, above the live bytes before the call.
    let peakBytes: Int
    let allocations: Int

    /// Returns the result of `body` and its heap usage.
    static func counting<Output>(_ body: () throws -> Output) rethrows -> (Output, HeapUse) {
        heapcount_start()
        defer { _ = heapcount_stop() }
        let output = try body()
        let count = heapcount_stop()
        return (output, HeapUse(peakBytes: Int(count.peak_bytes), allocations: Int(count.allocations)))
    }
}

/// Uses `value` in a way that is opaque to the compiler, so that its computation is not optimized away.
@inline(never)
func consume<Value>(_ value: borrowing Value) {
    withUnsafePointer(to: value) { heapcount_consume($0) }
}
