/// A hash of a joke's content, to find a changed joke with the same ID.
package struct ContentHash: Hashable, Sendable {
    /// FNV-1a, 64 bits, as a number for the store. A source can create collisions, but only hides its own changes.
    package let value: Int64

    package init(value: Int64) { self.value = value }

    /// Computes the hash of a content. It is the same on all machines.
    package init(of content: JokeContent) {
        var hash = FNV1a()
        for text in [content.text.setup, content.text.punchline, content.language] { hash.add(text) }
        hash.add(UInt64(content.categories.count))
        for category in content.categories { hash.add(category) }
        hash.add(UInt64(content.flags.rawValue))
        for text in [content.safety.rawValue, content.url, content.author, content.upstreamDate] { hash.add(text) }
        value = Int64(bitPattern: hash.value)
    }
}

/// The Fowler-Noll-Vo hash. The length comes before each text, so that different lists of texts are different bytes.
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
