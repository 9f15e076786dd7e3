/// Returns the number of entries from the beginning that have the same bits in both: `size` bytes each, one every `stride`
/// bytes.
///
/// Equal bits mean equal values, as `Equatable` requires. So long ranges of equal rows are compared at the speed of memory,
/// without retaining their contents. The reverse is not true, and bytes between fields have no meaning: entries with
/// different bits are compared by `==`.
@usableFromInline
func identicalEntries(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, size: Int, stride: Int) -> Int {
    guard size >= 8, let first = a.baseAddress, let second = b.baseAddress else { return 0 }
    let bytes = min(a.count, b.count)
    // In bounds: a block or an entry is only read if it ends within the bytes of both.
    var offset = 0
    if size == stride {
        while offset + 64 <= bytes, wordsAreEqual(first + offset, second + offset, size: 64) { offset += 64 }
    }
    var entries = offset / stride
    while entries * stride + size <= bytes,
        wordsAreEqual(first + entries * stride, second + entries * stride, size: size)
    {
        entries += 1
    }
    return entries
}

/// Returns whether `size` bytes are equal, at least 8. The last word may overlap the one before.
@inline(__always)
private func wordsAreEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, size: Int) -> Bool {
    func word(_ bytes: UnsafeRawPointer, at offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    func difference(at offset: Int) -> UInt64 { word(a, at: offset) ^ word(b, at: offset) }
    var found = difference(at: size - 8)
    for word in 0..<size / 8 { found |= difference(at: 8 * word) }
    return found == 0
}
