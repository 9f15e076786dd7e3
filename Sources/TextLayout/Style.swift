/// What a colour means; the palette says how it looks on the terminal at hand.
package enum ColorRole: Hashable, Sendable, CaseIterable {
    /// The terminal's own foreground.
    case plain
    case heading
    case accent
    /// Less important than the rest.
    case muted
    case good
    case warning
    case bad
}

/// How a span looks.
package struct Style: Hashable, Sendable {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let reverse = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
    }

    package var attributes: Attributes
    package var role: ColorRole

    package init(_ attributes: Attributes = [], _ role: ColorRole = .plain) {
        self.attributes = attributes
        self.role = role
    }

    package static let plain = Style()
    package static let bold = Style(.bold)
    package static let accent = Style([], .accent)
    package static let muted = Style([], .muted)
    package static let good = Style([], .good)
    package static let warning = Style([], .warning)
    package static let bad = Style([], .bad)
    /// A match of a search; the attributes show it without colors.
    package static let found = Style([.bold, .underline], .heading)
}
