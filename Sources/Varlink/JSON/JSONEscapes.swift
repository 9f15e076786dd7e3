/// The escapes of a JSON string.
enum JSONEscapes {
    /// The text of a string's bytes, which a parser has accepted.
    static func resolve(_ bytes: ArraySlice<UInt8>) -> String {
        var units: [UInt8] = []
        units.reserveCapacity(bytes.count)
        var pendingHigh: UInt32 = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "\\") else {
                units.append(bytes[index])
                index += 1
                continue
            }
            let letter = bytes[index + 1]
            index += 2
            guard letter == UInt8(ascii: "u") else {
                units.append(plain(letter))
                continue
            }
            let unit = UInt32(codeUnit(bytes[index..<index + 4]) ?? 0xFFFD)
            index += 4
            switch unit {
            case 0xD800...0xDBFF: pendingHigh = unit
            case 0xDC00...0xDFFF: append(0x10000 + (pendingHigh - 0xD800) << 10 + (unit - 0xDC00), to: &units)
            default: append(unit, to: &units)
            }
        }
        return String(decoding: units, as: UTF8.self)
    }

    /// The value of four hexadecimal digits.
    static func codeUnit(_ digits: ArraySlice<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt16(digit - 0x30)
            case 0x41...0x46: value = value << 4 | UInt16(digit - 0x37)
            case 0x61...0x66: value = value << 4 | UInt16(digit - 0x57)
            default: return nil
            }
        }
        return value
    }

    private static func plain(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    private static func append(_ scalar: UInt32, to units: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        units.append(contentsOf: Character(scalar).utf8)
    }
}
