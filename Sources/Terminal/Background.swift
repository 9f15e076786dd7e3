import Glibc

/// The colors that the terminal may have as its background, as RGB values.
package enum Background {
    /// Reads the variable COLORFGBG, such as `15;0`: foreground and background among 16 colors. Nil if it has none.
    package static func color(colorFGBG: String?) -> Int? {
        switch (colorFGBG ?? "").split(separator: ";").dropFirst().last.flatMap({ Int($0) }) ?? -1 {
        case 0...6, 8: return 0x000000
        case 7, 9...15: return 0xFFFFFF
        default: return nil
        }
    }

    /// Reads a reply of the terminal, `11;rgb:` and red, green and blue with one to four hexadecimal digits each.
    ///
    /// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Operating-System-Commands
    package static func color(reply: String) -> Int? {
        guard reply.hasPrefix("11;rgb:") else { return nil }
        let parts = reply.dropFirst(7).split(separator: "/", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part -> Int? in
            guard (1...4).contains(part.utf8.count), let value = Int(part, radix: 16), value >= 0 else { return nil }
            return value * 255 / ((1 << (4 * part.utf8.count)) - 1)
        }
        return parts.count == 3 && bytes.count == 3 ? bytes[0] << 16 | bytes[1] << 8 | bytes[2] : nil
    }
}

/// The red, green and blue of an RGB value.
func bytes(of color: Int) -> [Int] { [color >> 16, color >> 8 & 0xFF, color & 0xFF] }

/// The relative luminance of an RGB value, from 0 to 1.
///
/// https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
package func luminance(of color: Int) -> Double {
    let parts = bytes(of: color).map { byte in
        let part = Double(byte) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
}

/// The contrast of two RGB values, from 1 to 21.
///
/// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
package func contrast(of color: Int, on background: Int) -> Double {
    let pair = [luminance(of: color), luminance(of: background)].sorted()
    return (pair[1] + 0.05) / (pair[0] + 0.05)
}
