package import TextLayout

/// The colors of the roles and of the selected row.
package struct Theme: Hashable, Sendable {
    /// The background of the terminal, an RGB value; nil if it is unknown.
    private var background: Int?
    private var hasColors = true
    /// The colors that replace those for the background.
    private var colors: [ColorRole: ThemeColor] = [:]
    private var selection: ThemeColor?

    /// For any background: the terminal's own first 16 colors and reverse video, until `adapted` is called.
    package static let auto = Theme()
    /// For a dark background, from black to a dark gray.
    package static let dark = Theme(background: 0x1E1E1E)
    /// For a white background.
    package static let light = Theme(background: 0xFFFFFF)
    package static let solarizedDark = Theme(background: 0x002B36)
    package static let solarizedLight = Theme(background: 0xFDF6E3)
    /// Without colors.
    package static let mono = Theme(hasColors: false)

    /// True if `adapted` may return another theme.
    var adapts: Bool { hasColors && background == nil }

    /// Sets the color of a role.
    package mutating func set(_ role: ColorRole, to color: ThemeColor) { colors[role] = color }

    /// Sets the background of the selected row; the terminal's own color is reverse video.
    package mutating func setSelection(_ color: ThemeColor) { selection = color }

    /// The theme on a background, an RGB value; the theme itself on an unknown one, or if it is made for one.
    package func adapted(to background: Int?) -> Theme {
        var theme = self
        if adapts, let background { theme.background = background }
        return theme
    }

    /// The number of the color of a role; nil for the terminal's own foreground.
    package func color(of role: ColorRole, among count: Int) -> Int? {
        (colors[role] ?? standardColor(of: role, among: count))?.number(among: count)
    }

    /// The background of the selected row; nil for reverse video. A terminal with fewer than 256 colors has too few.
    package func selectionColor(among count: Int) -> Int? {
        count >= 256 ? (selection ?? standardSelection)?.number(among: count) : nil
    }

    /// A small step away from the background, so that plain text, which has the terminal's own color, is readable in the
    /// row, too.
    private var standardSelection: ThemeColor? {
        guard hasColors, let background else { return nil }
        return ThemeColor.redGreenBlue(background).readable(on: [background], 1.3, towards: extreme(on: background))
    }

    /// The color in the table, with at least 256 colors moved towards white or black as far as it needs for its contrast,
    /// also in the selected row.
    private func standardColor(of role: ColorRole, among count: Int) -> ThemeColor? {
        guard hasColors, let shades = shades[role] else { return nil }
        guard let background, let row = standardSelection else { return shades.unknown.map { .number($0) } }
        let extreme = extreme(on: background)
        let isDark = extreme > 0
        if count < 256 { return (isDark ? shades.basicDark : shades.basicLight).map { .number($0) } }
        return ThemeColor.number(isDark ? shades.dark : shades.light)
            .readable(on: [background, row.value], role.leastContrast, towards: extreme)
    }

    /// White on a dark background, black on a light one.
    private func extreme(on background: Int) -> Int { luminance(of: background) < 0.18 ? 0xFFFFFF : 0 }
}

/// The colors on dark and on light backgrounds: numbers of xterm's 256 colors, and of the first 16, which the user may
/// have changed; and those of the first 16 on an unknown background.
///
/// The gray of some dark terminals is their background, so muted text is only dim there.
private let shades: [ColorRole: (dark: Int, light: Int, basicDark: Int?, basicLight: Int?, unknown: Int?)] = [
    .heading: (75, 25, 6, 4, 5), .accent: (215, 94, 3, 5, 5), .muted: (246, 242, nil, 8, nil),
    .frame: (240, 248, nil, 8, nil), .good: (114, 28, 2, 4, nil), .warning: (208, 130, 3, 5, 5),
    .bad: (203, 124, 9, 1, 1), .name0: (110, 24, 6, 4, 5), .name1: (150, 64, 2, 5, 1), .name2: (180, 130, 3, 1, nil),
    .name3: (176, 90, 5, 9, 13), .name4: (79, 30, 9, 13, 9), .name5: (174, 131, 7, 0, nil),
]

extension ColorRole {
    /// The contrast with the background: WCAG's for text, and less for what is not read first.
    package var leastContrast: Double {
        switch self {
        case .frame: 1.5
        case .muted, .name0, .name1, .name2, .name3, .name4, .name5: 3
        default: 4.5
        }
    }
}
