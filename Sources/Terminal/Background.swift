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
