/// The meaning of a color. The palette has the colors of a terminal.
package enum ColorRole: Hashable, Sendable, CaseIterable {
    /// The foreground of the terminal.
    case plain
    case heading, accent
    /// Less important than the rest.
    case muted
    /// Rules and borders.
    case frame
    case good, warning, bad
}

/// The look of a span.
package struct Style: Hashable, Sendable {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let reverse = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
        /// The selected row: a background, or reverse video without the color of the role.
        package static let selected = Attributes(rawValue: 16)
    }

    package var attributes: Attributes
    package var role: ColorRole

    package init(_ attributes: Attributes = [], _ role: ColorRole = .plain) {
        (self.attributes, self.role) = (attributes, role)
    }

    package static let plain = Style()
    package static let bold = Style(.bold)
    package static let accent = Style([], .accent)
    package static let muted = Style([], .muted)
    package static let frame = Style([], .frame)
    package static let good = Style([], .good)
    package static let warning = Style([], .warning)
    package static let bad = Style([], .bad)
    /// A match of a search; the attributes show it without colors.
    package static let found = Style([.bold, .underline], .heading)
}
