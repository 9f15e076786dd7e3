/// How many bytes from the beginning on are the same in both, a block at a time.
///
/// Entries that are the same bit for bit are equal, whatever `==` would say after looking at them: that is what `Equatable`
/// promises. So long stretches of equal rows are compared at the speed of memory, without retaining what they hold.
/// The reverse is not true, and bytes between fields have no meaning: what differs here is compared by `==`.
@usableFromInline
func commonBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
    // In bounds: a block is read where `offset + 64 <= count`, a word where `offset + 8 <= count`, a byte below `count`.
    func difference(at offset: Int) -> UInt64 {
        a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    var offset = 0
    while offset + 64 <= count {
        var found: UInt64 = 0
        for word in 0..<8 { found |= difference(at: offset + 8 * word) }
        if found != 0 { break }
        offset += 64
    }
    while offset + 8 <= count {
        let found = difference(at: offset)
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
