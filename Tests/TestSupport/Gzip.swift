/// Encodes gzip files (RFC 1952) without a compressor.
package enum Gzip {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

    /// Returns the bytes in stored blocks: a valid file that is slightly longer than its content.
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var file = header
        let blocks = stride(from: 0, to: max(bytes.count, 1), by: 65535)
        for start in blocks {
            let block = bytes[start..<min(start + 65535, bytes.count)]
            let length = UInt16(block.count)
            file.append(start + 65535 >= bytes.count ? 1 : 0)
            file += littleEndian(length) + littleEndian(~length) + block
        }
        return file + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// Returns a short file for many zeros: at least as many as demanded.
    package static func zeros(_ count: Int) -> (file: [UInt8], content: [UInt8]) {
        var bits = Bits()
        bits.append("010" + "00110000")
        let matches = (count + 257) / 258
        for _ in 0..<matches { bits.append(longestMatch) }
        // The end of the block, and an empty block that is the last.
        bits.append("0000000" + "110" + "0000000")
        let content = [UInt8](repeating: 0, count: 1 + matches * 258)
        let trailer = littleEndian(checksum(content)) + littleEndian(UInt32(truncatingIfNeeded: content.count))
        return (header + bits.bytes + trailer, content)
    }

    /// The start of a file that inflates to zeros. The rest of the file is `moreZeros`, repeated.
    package static let bombStart: [UInt8] = {
        // A block with fixed codes that is not the last (bits 0, 1, 0), the literal 0 (00110000), and then matches of
        // 258 bytes at distance 1 until the next byte begins.
        var bits = Bits()
        bits.append("010" + "00110000")
        while !bits.isAligned { bits.append(longestMatch) }
        return header + bits.bytes
    }()

    /// 2,064 zeros in 13 bytes.
    package static let moreZeros: [UInt8] = {
        var bits = Bits()
        for _ in 0..<8 { bits.append(longestMatch) }
        return bits.bytes
    }()

    /// Length code 285 (258 bytes) and distance code 0 (1 byte back), first bit first.
    private static let longestMatch = "11000101" + "00000"

    /// Bits in the order of deflate: from the lowest bit of each byte.
    private struct Bits {
        var bytes: [UInt8] = []
        private var count = 0

        var isAligned: Bool { count.isMultiple(of: 8) }

        mutating func append(_ bits: String) {
            for bit in bits {
                if isAligned { bytes.append(0) }
                if bit == "1" { bytes[count / 8] |= 1 << UInt8(count % 8) }
                count += 1
            }
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        (0..<(Value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
    }
}
