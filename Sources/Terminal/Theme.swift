package import TextLayout

/// The colors of the roles and of the selected row.
package struct Theme: Hashable, Sendable {
    /// Other roles have the terminal's own foreground.
    private var colors: [ColorRole: ThemeColor] = [:]
    /// The colors on terminals with 8 or 16 colors.
    private var basicColors: [ColorRole: ThemeColor] = [:]
    /// The background of the selected row; nil for reverse video.
    private var selection: ThemeColor?
    /// The colors in the selected row that differ from `colors`.
    private var selectedColors: [ColorRole: ThemeColor] = [:]

    /// The theme of the selected row.
    package var ofSelectedRow: Theme {
        var theme = self
        theme.colors.merge(selectedColors) { $1 }
        return theme
    }

    /// Sets the color of a role, also in the selected row.
    package mutating func set(_ role: ColorRole, to color: ThemeColor) {
        (colors[role], basicColors[role]) = (color, color)
        selectedColors[role] = nil
    }

    /// Sets the background of the selected row; the terminal's own color is reverse video.
    package mutating func setSelection(_ color: ThemeColor) {
        selection = color
        selectedColors = [:]
    }

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

    /// For an unknown background: each color contrasts with white and with black. The selected row has its own text.
    package static let neutral: Theme = {
        var theme = Theme(
            heading: 32, accent: 136, muted: 244, frame: 244, good: 28, warning: 166, bad: 160, selection: 237,
            basic: [.heading: 6, .accent: 5, .muted: 8, .frame: 8, .good: 2, .warning: 5, .bad: 1])
        theme.selectedColors = dark.colors
        theme.selectedColors[.plain] = .number(255)
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

    /// The theme for a background of the terminal.
    package static func suiting(_ background: Background) -> Theme {
        switch background {
        case .dark: .dark
        case .light: .light
        case .unknown: .neutral
        }
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
