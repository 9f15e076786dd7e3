/// Tells an edit under the same id: a hash over everything a reader sees.
package struct ContentHash: Hashable, Sendable {
    /// FNV-1a, 64 bits, as a number for the store.
    ///
    /// An upstream that takes the trouble to make two texts collide hides an edit of its own joke, and no more.
    package let value: Int64

    package init(value: Int64) {
        self.value = value
    }

    /// The hash of a content; contents of the same bytes have equal hashes on every machine.
    package init(of content: JokeContent) {
        var hash = FNV1a()
        hash.add(content.text.setup)
        hash.add(content.text.punchline)
        hash.add(content.language)
        hash.add(UInt64(content.categories.count))
        for category in content.categories { hash.add(category) }
        hash.add(UInt64(content.flags.rawValue))
        hash.add(content.safety.rawValue)
        hash.add(content.url)
        hash.add(content.author)
        hash.add(content.upstreamDate)
        value = Int64(bitPattern: hash.value)
    }
}

/// The hash of Fowler, Noll and Vo. Each text is led by its length, so that no two lists of texts read the same.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String?) {
        guard let text else { return add(UInt64.max) }
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number &>> UInt64(shift))) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
