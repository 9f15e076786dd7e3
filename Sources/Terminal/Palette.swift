import CNcurses
import TextLayout
import Unix

/// The color pairs of a theme.
struct Palette {
    /// Other roles have the terminal's own foreground.
    private var pairs: [ColorRole: Int16] = [:]
    /// Empty if the selected row is in reverse video.
    private var selectedPairs: [ColorRole: Int16] = [:]

    init() {}

    /// Defines the pairs for a number of colors. Call it after `start_color`.
    init(of theme: Theme, colors: Int) {
        use_default_colors()
        let selection = theme.selectionColor(among: colors)
        for (index, role) in ColorRole.allCases.enumerated() {
            let pair = Int16(2 * index + 1)
            if let color = theme.color(of: role, among: colors), define(pair, color, -1) { pairs[role] = pair }
            guard let selection else { continue }
            let color = theme.color(of: role, among: colors) ?? -1
            if define(pair + 1, color, selection) { selectedPairs[role] = pair + 1 }
        }
    }

    /// Defines a pair; -1 is the terminal's own color.
    private func define(_ pair: Int16, _ foreground: Int, _ background: Int) -> Bool {
        init_extended_pair(Int32(pair), Int32(foreground), Int32(background)) == OK
    }

    func pair(of role: ColorRole) -> Int16 { pairs[role] ?? 0 }

    /// Nil if the selected row is in reverse video.
    func selectedPair(of role: ColorRole) -> Int16? { selectedPairs[role] }
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
