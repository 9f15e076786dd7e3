import CNcurses
import Unix

/// Whether a screen uses colours.
package enum ColorChoice: String, Sendable, CaseIterable {
    /// As the terminal can, unless NO_COLOR is set and not empty (no-color.org).
    case auto
    /// As the terminal can, whatever NO_COLOR says.
    case always
    case never

    /// Whether to use them where the terminal can.
    var isOn: Bool {
        switch self {
        case .auto: (environment("NO_COLOR") ?? "").isEmpty
        case .always: true
        case .never: false
        }
    }
}

/// The colours of the roles on one terminal. On its own background: they are readable on light and on dark.
struct Palette {
    /// ncurses' pair for each role; roles that are missing have the terminal's own foreground.
    private var pairs: [ColorRole: Int16] = [:]

    /// Without colours.
    init() {}

    /// Defines a pair for each role, of as many colours as the terminal has. After `start_color`.
    init(colors: Int) {
        use_default_colors()
        for (index, role) in ColorRole.allCases.enumerated() {
            guard let color = Self.color(of: role, among: colors) else { continue }
            let pair = Int16(index + 1)
            if init_pair(pair, color, -1) == OK { pairs[role] = pair }
        }
    }

    /// The pair of a role, 0 where it has none.
    func pair(of role: ColorRole) -> Int16 {
        pairs[role] ?? 0
    }

    /// The colour's number by the terminal's count of colours; nil for the terminal's own foreground.
    ///
    /// Of 256, middle tones of the cube, which contrast with white and with black. Of 8, only those that terminals make
    /// dark enough for white and light enough for black; yellow is not.
    static func color(of role: ColorRole, among colors: Int) -> Int16? {
        if colors >= 256 {
            switch role {
            case .plain: nil
            case .heading: 32
            case .accent: 172
            case .muted: 244
            case .good: 71
            case .warning: 166
            case .bad: 160
            }
        } else if colors >= 8 {
            switch role {
            case .plain: nil
            case .heading: 6
            case .accent: 5
            case .muted: colors >= 16 ? 8 : nil
            case .good: 2
            case .warning: 5
            case .bad: 1
            }
        } else {
            nil
        }
    }
}

extension Style.Attributes {
    /// ncurses' bits.
    var bits: attr_t {
        var bits: attr_t = 0
        if contains(.bold) { bits |= ncurses_bold() }
        if contains(.dim) { bits |= ncurses_dim() }
        if contains(.reverse) { bits |= ncurses_reverse() }
        if contains(.underline) { bits |= ncurses_underline() }
        return bits
    }
}
