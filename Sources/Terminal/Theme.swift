package import TextLayout

/// The colors of the roles and of the selected row.
package struct Theme: Hashable, Sendable {
    /// Other roles have the terminal's own foreground.
    private var colors: [ColorRole: ThemeColor] = [:]
    /// The colors on terminals with 8 or 16 colors.
    private var basicColors: [ColorRole: ThemeColor] = [:]
    /// The background of the selected row; nil for reverse video.
    private var selection: ThemeColor?
    /// The roles whose colors follow the background of the terminal. Empty for a theme that is made for one.
    private var adaptedRoles: Set<ColorRole> = []
    /// True if the background of the selected row follows that of the terminal.
    private var adaptsSelection = false

    /// Sets the color of a role.
    package mutating func set(_ role: ColorRole, to color: ThemeColor) {
        (colors[role], basicColors[role]) = (color, color)
        adaptedRoles.remove(role)
    }

    /// Sets the background of the selected row; the terminal's own color is reverse video.
    package mutating func setSelection(_ color: ThemeColor) {
        selection = color
        adaptsSelection = false
    }

    /// True if `adapted` may return another theme.
    var adapts: Bool { adaptsSelection || !adaptedRoles.isEmpty }

    /// The number of the color of a role; nil for the terminal's own foreground.
    package func color(of role: ColorRole, among colors: Int) -> Int? {
        (colors < 256 ? basicColors : self.colors)[role]?.number(among: colors)
    }

    /// The background of the selected row; nil for reverse video. A terminal with fewer than 256 colors has too few.
    package func selectionColor(among colors: Int) -> Int? {
        colors >= 256 ? selection?.number(among: colors) : nil
    }
}

extension Theme {
    /// For a dark background, from black to a dark gray.
    package static let dark = Theme(
        heading: 75, accent: 215, muted: 246, frame: 240, good: 114, warning: 208, bad: 203, selection: 237,
        basic: [.heading: 14, .accent: 11, .muted: 8, .frame: 8, .good: 10, .warning: 11, .bad: 9])

    /// For a white background.
    package static let light = Theme(
        heading: 25, accent: 94, muted: 242, frame: 248, good: 28, warning: 130, bad: 124, selection: 254,
        basic: [.heading: 4, .accent: 5, .muted: 8, .frame: 8, .good: 2, .warning: 5, .bad: 1])

    /// For any background: the terminal's own first 16 colors and reverse video, until `adapted` is called.
    package static let auto: Theme = {
        let basic: [ColorRole: Int] = [.heading: 6, .accent: 5, .muted: 8, .frame: 8, .good: 2, .warning: 5, .bad: 1]
        var theme = Theme()
        theme.colors = basic.mapValues { .number($0) }
        // The gray of some terminals is their background, so the text is only dim.
        (theme.colors[.muted], theme.colors[.frame]) = (nil, nil)
        theme.basicColors = basic.mapValues { .number($0) }
        (theme.adaptedRoles, theme.adaptsSelection) = (Set(ColorRole.allCases), true)
        return theme
    }()

    /// Without colors.
    package static let mono = Theme()

    /// For Solarized's dark background, 0x002B36: colors close to Solarized's, with more contrast.
    ///
    /// In the 16 colors of such a terminal, 8 is the background, so muted text is only dim.
    package static let solarizedDark = Theme(
        heading: 74, accent: 178, muted: 245, frame: 240, good: 106, warning: 173, bad: 203, selection: 237,
        basic: solarizedBasic)

    /// For Solarized's light background, 0xFDF6E3: colors close to Solarized's, with more contrast.
    package static let solarizedLight = Theme(
        heading: 25, accent: 94, muted: 243, frame: 247, good: 58, warning: 125, bad: 160, selection: 253,
        basic: solarizedBasic)

    private static let solarizedBasic: [ColorRole: Int] = [.heading: 4, .accent: 3, .good: 2, .warning: 5, .bad: 1]

    /// The theme on a background, an RGB value; the theme itself on an unknown one.
    ///
    /// The colors are those of `dark` or `light`, moved towards white or black as far as they need for their contrast, also
    /// in the selected row. The selected row is a step away from the background.
    package func adapted(to background: Int?) -> Theme {
        guard let background, adapts else { return self }
        let isDark = luminance(of: background) < 0.18
        let (base, end) = isDark ? (Theme.dark, 0xFFFFFF) : (Theme.light, 0x000000)
        var theme = self
        // A small step, so that plain text, which has the terminal's own color, is readable in the row, too.
        let row = ThemeColor.redGreenBlue(background).readable(on: [background], 1.3, towards: end)
        if adaptsSelection { theme.selection = row }
        for role in adaptedRoles {
            theme.basicColors[role] = base.basicColors[role]
            theme.colors[role] = base.colors[role]?.readable(
                on: [background, row.value], role.leastContrast, towards: end)
        }
        return theme
    }

    private init(
        heading: Int, accent: Int, muted: Int, frame: Int, good: Int, warning: Int, bad: Int, selection: Int,
        basic: [ColorRole: Int]
    ) {
        colors = [
            .heading: heading, .accent: accent, .muted: muted, .frame: frame, .good: good, .warning: warning, .bad: bad,
        ].mapValues { .number($0) }
        basicColors = basic.mapValues { .number($0) }
        self.selection = .number(selection)
    }
}

extension ColorRole {
    /// The contrast with the background: WCAG's for text, and less for what is not read first.
    package var leastContrast: Double {
        switch self {
        case .frame: 1.5
        case .muted: 3
        default: 4.5
        }
    }
}
