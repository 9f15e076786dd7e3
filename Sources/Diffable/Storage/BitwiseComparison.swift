/// Returns the length of the common prefix of two buffers, in entries whose bits are equal. An entry has `size` bytes and
/// begins every `stride` bytes. Returns 0 for entries of fewer than 8 bytes.
///
/// Equal bits mean equal values, as `Equatable` requires. Therefore, long ranges of equal entries are compared at the
/// speed of memory, without retaining their contents. Different bits do not mean different values: padding bytes have no
/// meaning, and equal contents may have different addresses. The caller compares such entries by `==`.
@usableFromInline
func identicalEntryCount(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, size: Int, stride: Int) -> Int {
    guard size >= 8, let first = a.baseAddress, let second = b.baseAddress else { return 0 }
    let bytes = min(a.count, b.count)
    // Read a block or an entry only if it is within both buffers.
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

/// Returns true if `size` bytes, at least 8, are equal. The last word may overlap the previous word.
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
