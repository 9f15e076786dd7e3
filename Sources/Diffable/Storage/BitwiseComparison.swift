/// How many entries from the beginning on are the same bit for bit in both: `size` bytes each, one every `stride` bytes.
///
/// What is the same bit for bit is equal, whatever `==` would say after a look: that is what `Equatable` promises. So long
/// extents of equal rows are compared at the speed of memory, and without retaining what they hold. The reverse is not
/// true, and bytes between fields have no meaning: what differs here is compared by `==`.
@usableFromInline
func identicalEntries(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, size: Int, stride: Int
) -> Int {
    let bytes = min(a.count, b.count)
    if size == stride { return commonBytes(a, b, count: bytes) / stride }
    guard size >= 8, let a = a.baseAddress, let b = b.baseAddress else { return 0 }
    // In bounds: an entry is only read if it ends within the bytes of both.
    var entries = 0
    while entries * stride + size <= bytes {
        let start = entries * stride
        var found = difference(a, b, at: start + size - 8)
        for word in 0..<size / 8 { found |= difference(a, b, at: start + 8 * word) }
        if found != 0 { break }
        entries += 1
    }
    return entries
}

@inline(__always)
private func difference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, at offset: Int) -> UInt64 {
    a.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}

/// How many bytes from the beginning on are the same, of `count` that both have.
private func commonBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, count: Int) -> Int {
    guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
    // In bounds: a block is read if `offset + 64 <= count`, a word if `offset + 8 <= count`, a byte below `count`.
    var offset = 0
    while offset + 64 <= count {
        var found: UInt64 = 0
        for word in 0..<8 { found |= difference(a, b, at: offset + 8 * word) }
        if found != 0 { break }
        offset += 64
    }
    while offset + 8 <= count {
        let found = difference(a, b, at: offset)
        if found != 0 { return offset + found.littleEndian.trailingZeroBitCount / 8 }
        offset += 8
    }
    while offset < count,
        a.load(fromByteOffset: offset, as: UInt8.self) == b.load(fromByteOffset: offset, as: UInt8.self)
    {
        offset += 1
    }
    return offset
}
