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

/// How light the terminal's own background is.
package enum Background: Hashable, Sendable, CaseIterable {
    case dark, light, unknown

    /// As the variable COLORFGBG says, where a terminal sets it: `15;0`, foreground and background among 16.
    ///
    /// The terminal is not asked: it may answer when the program has ended, and then somebody's shell would get that.
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
