/// Returns a text in which characters that could corrupt a screen are likely.
package func hostileText(_ random: inout SplitMix64, size: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<size {
        let range = hostileRanges[random.int(in: 0..<hostileRanges.count)]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
    }
    return String(text)
}

/// Returns variants of a text, each without one of its scalars, for `shrink` of `checkProperty`.
package func shortenedTexts(_ text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.map { index in
        var rest = scalars
        rest.remove(at: index)
        return String(String.UnicodeScalarView(rest))
    }
}

private let hostileRanges: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x20...0x7E, 0x20...0x7E, 0x20...0x20, 0x7F...0x9F, 0xA0...0x2FF, 0x300...0x36F, 0x590...0x8FF,
    0x900...0xDFF,
    0x1100...0x11FF, 0x200B...0x200F, 0x200C...0x200D, 0x2028...0x202E, 0x2060...0x206F, 0x2600...0x27BF,
    0x3000...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7FB, 0xE000...0xE0FF, 0xFE00...0xFE0F, 0xFFF0...0xFFFF,
    0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF, 0x1F3FB...0x1F3FF, 0xE0000...0xE01EF, 0x0...0x10FFFF,
]
