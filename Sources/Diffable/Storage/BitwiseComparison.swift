/// Returns the length of the common prefix of two buffers, in elements with equal bits. An element has `size` bytes and
/// begins every `stride` bytes. Returns 0 for elements of fewer than 8 bytes.
///
/// Equal bits mean equal values, as `Equatable` requires, and so equal identifiers. Therefore, long ranges of equal
/// elements are compared at the speed of memory, without retaining their contents. Different bits do not mean different
/// values: padding bytes have no meaning, and equal contents may have different addresses. The caller compares such
/// elements by `==`.
@usableFromInline
func identicalElementCount(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, size: Int, stride: Int) -> Int {
    guard size >= 8, let first = a.baseAddress, let second = b.baseAddress else { return 0 }
    let bytes = min(a.count, b.count)
    // Read a block or an element only if it is within both buffers.
    var offset = 0
    while offset + 64 <= bytes, wordsAreEqual(first + offset, second + offset, size: 64) { offset += 64 }
    // Avoids a division if no block is equal.
    var elements = offset == 0 ? 0 : offset / stride
    while elements * stride + size <= bytes,
        wordsAreEqual(first + elements * stride, second + elements * stride, size: size)
    {
        elements += 1
    }
    return elements
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
