/// A color of a theme.
package enum ThemeColor: Hashable, Sendable {
    /// The terminal's own color.
    case standard
    /// A color of xterm's 256. The first 16 are as the user has set them in the terminal.
    case number(Int)
    /// Red, green and blue, a byte each.
    case redGreenBlue(Int)

    /// Returns the color, or the nearest one that the terminal has, as a number; nil for the terminal's own color.
    ///
    /// Of 8 colors, black, gray and white are only used if they are set by number: they may be the background.
    /// Terminals with more than 256 colors take RGB values, and the numbers of the first 8 colors.
    func number(among colors: Int) -> Int? {
        switch (self, colors) {
        case (.standard, _), (_, ..<8): return nil
        case (.number(let number), 257...): return number < 8 ? number : Terminal.redGreenBlue(of: number)
        case (.redGreenBlue(let value), 257...): return value < 8 ? 0 : value
        case (.number(let number), 256): return number
        // The user may have changed the first 16.
        case (.redGreenBlue, 256): return nearest(among: 16...255)
        case (.number(let number), 16...): return number < 16 ? number : nearest(among: 0...15)
        case (.number(let number), _) where number < 16: return number == 8 ? nil : number % 8
        case (_, 16...): return nearest(among: 0...15)
        default:
            let number = nearest(among: 0...7)
            return number == 0 || number == 7 ? nil : number
        }
    }

    /// The RGB value.
    var value: Int {
        switch self {
        case .standard: 0
        case .number(let number): Terminal.redGreenBlue(of: number)
        case .redGreenBlue(let value): value
        }
    }

    /// The first color among 256 on the way to `end` that has the contrast on all backgrounds.
    func readable(on backgrounds: [Int], _ least: Double, towards end: Int) -> ThemeColor {
        for step in 0..<16 {
            let shade = ThemeColor.redGreenBlue(mixed(value, end, Double(step) / 16))
            let color = Terminal.redGreenBlue(of: shade.nearest(among: 16...255))
            if backgrounds.allSatisfy({ contrast(of: color, on: $0) >= least }) { return .redGreenBlue(color) }
        }
        return .redGreenBlue(end)
    }

    private func nearest(among numbers: ClosedRange<Int>) -> Int {
        let distances = numbers.map { (number: $0, distance: distance(value, Terminal.redGreenBlue(of: $0))) }
        return distances.min { $0.distance < $1.distance }?.number ?? 0
    }
}

/// An RGB value between two others: the first one at 0, the second one at 1.
private func mixed(_ a: Int, _ b: Int, _ part: Double) -> Int {
    zip(bytes(of: a), bytes(of: b)).reduce(0) { color, pair in
        color << 8 | Int((Double(pair.0) + Double(pair.1 - pair.0) * part).rounded())
    }
}

/// The square of the distance of two RGB values.
private func distance(_ a: Int, _ b: Int) -> Int {
    zip(bytes(of: a), bytes(of: b)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
}

/// The RGB value of a color of xterm's 256.
package func redGreenBlue(of number: Int) -> Int {
    if number < 16 { return namedColors[number] }
    if number >= 232 {
        let gray = 8 + (number - 232) * 10
        return gray << 16 | gray << 8 | gray
    }
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = number - 16
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
}

/// xterm's default values of the first 16 colors.
private let namedColors = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
]
