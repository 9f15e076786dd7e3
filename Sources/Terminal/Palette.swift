import CNcurses
package import TextLayout
import Unix

/// The color pairs of the roles.
struct Palette {
    /// Other roles have the terminal's own foreground.
    private var pairs: [ColorRole: Int16] = [:]

    init() {}

    /// Defines the pairs for a number of colors. Call it after `start_color`.
    init(colors: Int, background: Background) {
        use_default_colors()
        for (index, role) in ColorRole.allCases.enumerated() {
            guard let color = color(of: role, among: colors, on: background) else { continue }
            let pair = Int16(index + 1)
            if init_extended_pair(Int32(pair), Int32(color), -1) == OK { pairs[role] = pair }
        }
    }

    func pair(of role: ColorRole) -> Int16 { pairs[role] ?? 0 }
}

/// The number of a color; nil for the terminal's own foreground. Terminals with more than 256 colors take RGB values.
///
/// Of 8 and 16 colors, only those are used that are readable on the background.
package func color(of role: ColorRole, among colors: Int, on background: Background) -> Int? {
    if colors > 256 { return tone(of: role, on: background).map(redGreenBlue(ofTone:)) }
    if colors == 256 { return tone(of: role, on: background) }
    if colors >= 16 { return namedColor(of: role, on: background, brightest: 15) }
    return colors >= 8 ? namedColor(of: role, on: background, brightest: 7) : nil
}

/// A color of 256. For an unknown background, one that contrasts with white and with black.
private func tone(of role: ColorRole, on background: Background) -> Int? {
    let (dark, light, unknown): (Int, Int, Int)
    switch role {
    case .plain: return nil
    case .heading: (dark, light, unknown) = (75, 25, 32)
    case .accent: (dark, light, unknown) = (215, 94, 136)
    case .muted: (dark, light, unknown) = (246, 242, 244)
    case .frame: (dark, light, unknown) = (240, 248, 244)
    case .good: (dark, light, unknown) = (114, 28, 28)
    case .warning: (dark, light, unknown) = (208, 130, 166)
    case .bad: (dark, light, unknown) = (203, 124, 160)
    }
    return background == .unknown ? unknown : background == .dark ? dark : light
}

/// A color of 8 or 16: 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 8 gray, and 9 to 15 bright ones.
private func namedColor(of role: ColorRole, on background: Background, brightest: Int) -> Int? {
    let bright = background == .dark && brightest == 15 ? 8 : 0
    switch role {
    case .plain: return nil
    case .muted, .frame: return brightest == 15 ? 8 : nil
    case .heading: return background == .light ? 4 : 6 + bright
    case .accent, .warning: return background == .dark ? 3 + bright : 5
    case .good: return 2 + bright
    case .bad: return 1 + bright
    }
}

/// The RGB value of a color of xterm's cube or grays.
func redGreenBlue(ofTone tone: Int) -> Int {
    if tone >= 232 {
        let grey = 8 + (tone - 232) * 10
        return grey << 16 | grey << 8 | grey
    }
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = tone - 16
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
}

extension Style.Attributes {
    var bits: attr_t {
        var bits: attr_t = 0
        if contains(.bold) { bits |= ncurses_bold() }
        if contains(.dim) { bits |= ncurses_dim() }
        if contains(.reverse) { bits |= ncurses_reverse() }
        if contains(.underline) { bits |= ncurses_underline() }
        return bits
    }
}

/// The use of colors.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// Colors if the terminal has them, unless NO_COLOR is set and not empty (no-color.org).
    case auto
    /// Colors if the terminal has them.
    case always
    case never

    var isOn: Bool {
        switch self {
        case .auto: (environment("NO_COLOR") ?? "").isEmpty
        case .always: true
        case .never: false
        }
    }
}

/// The brightness of the terminal's background.
package enum Background: Hashable, Sendable, CaseIterable {
    case dark, light, unknown

    /// Reads the variable COLORFGBG, such as `15;0`: foreground and background among 16 colors.
    ///
    /// The terminal is not queried: if it answers after the program has ended, the shell gets the answer.
    package init(colorFGBG: String?) {
        let numbers = (colorFGBG ?? "").split(separator: ";")
        let background = numbers.count > 1 ? Int(numbers[numbers.count - 1]) : nil
        switch background ?? -1 {
        case 0...6, 8: self = .dark
        case 7, 9...15: self = .light
        default: self = .unknown
        }
    }
}
