/// SHA-256 (FIPS 180-4), because not every program can link a library for it: see docs/decisions.
package struct SHA256: Sendable {
    private var state: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// Returns the digest, 32 bytes. O(n)
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        let wholeBlocks = bytes.count - bytes.count % 64
        for start in stride(from: 0, to: wholeBlocks, by: 64) { hash.compress(bytes, at: start) }
        let end = padding(bytes[wholeBlocks...], ofMessageOf: bytes.count)
        for start in stride(from: 0, to: end.count, by: 64) { hash.compress(end, at: start) }
        return (0..<32).map { UInt8(truncatingIfNeeded: hash.state[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) }
    }

    /// Returns the first bytes of the digest in hexadecimal digits.
    package static func shortDigest(of bytes: [UInt8], byteCount: Int = 8) -> String {
        hexadecimal(digest(of: bytes).prefix(byteCount))
    }

    /// Returns the last, incomplete block with its padding (FIPS 180-4, 5.1.1): one or two blocks.
    private static func padding(_ rest: ArraySlice<UInt8>, ofMessageOf byteCount: Int) -> [UInt8] {
        var end: [UInt8] = []
        end.reserveCapacity(128)
        end.append(contentsOf: rest)
        end.append(0x80)
        while end.count % 64 != 56 { end.append(0) }
        let bitCount = UInt64(byteCount) * 8
        for shift in stride(from: 56, through: 0, by: -8) {
            end.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        return end
    }

    /// Adds a block (6.2.2).
    private mutating func compress(_ bytes: [UInt8], at start: Int) {
        var w = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            let at = start + 4 * index
            w[index] =
                UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
                | UInt32(bytes[at + 3])
        }
        for index in 16..<64 {
            let (w15, w2) = (w[index - 15], w[index - 2])
            let s0 = w15.rotated(7) ^ w15.rotated(18) ^ (w15 &>> 3)
            let s1 = w2.rotated(17) ^ w2.rotated(19) ^ (w2 &>> 10)
            w[index] = w[index - 16] &+ s0 &+ w[index - 7] &+ s1
        }
        let constants = Self.constants
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let s1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[round] &+ w[round]
            let s0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        let sums: InlineArray<8, UInt32> = [a, b, c, d, e, f, g, h]
        for index in 0..<8 { state[index] &+= sums[index] }
    }

    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 {
        self &>> count | self &<< (32 - count)
    }
}

/// Returns two lowercase hexadecimal digits for each byte.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digit = { (number: UInt8) in number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10 }
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
}
