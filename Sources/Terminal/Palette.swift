import CNcurses
import TextLayout
import Unix

/// The color pairs of a theme.
struct Palette {
    /// Other roles have the terminal's own foreground.
    private(set) var pairs: [ColorRole: Int16] = [:]
    /// Empty if the selected row is in reverse video.
    private(set) var selectedPairs: [ColorRole: Int16] = [:]

    init() {}

    /// Defines the pairs for a number of colors. Call it after `start_color`.
    init(of theme: Theme, colors: Int) {
        use_default_colors()
        let selection = theme.selectionColor(among: colors)
        for (index, role) in ColorRole.allCases.enumerated() {
            let pair = Int16(2 * index + 1)
            let color = theme.color(of: role, among: colors)
            if let color { pairs[role] = defined(pair, color, -1) }
            if let selection { selectedPairs[role] = defined(pair + 1, color ?? -1, selection) }
        }
    }

    /// Defines a pair; -1 is the terminal's own color. Nil if the terminal has no such pair.
    private func defined(_ pair: Int16, _ foreground: Int, _ background: Int) -> Int16? {
        init_extended_pair(Int32(pair), Int32(foreground), Int32(background)) == OK ? pair : nil
    }
}

extension Style.Attributes {
    var bits: attr_t {
        let attributes: [Self] = [.bold, .dim, .reverse, .underline]
        let bits = [ncurses_bold(), ncurses_dim(), ncurses_reverse(), ncurses_underline()]
        return zip(attributes, bits).reduce(0) { contains($1.0) ? $0 | $1.1 : $0 }
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
        self == .always || self == .auto && (environment("NO_COLOR") ?? "").isEmpty
    }
}
