/// The meaning of a color. The palette has the colors of a terminal.
package enum ColorRole: String, Sendable, CaseIterable {
    /// The foreground of the terminal.
    case plain = "text"
    case heading, accent
    /// Less important than the rest.
    case muted
    /// Rules and borders.
    case frame
    case good, warning, bad
    /// Colors that distinguish names.
    case name0, name1, name2, name3, name4, name5

    package static let names = allCases.suffix(6)

    /// Returns the color of a name, the same in each run, which a `Hasher` does not return. O(n)
    package static func name(_ name: String) -> ColorRole {
        let hash = name.utf8.reduce(0 as UInt32) { $0 &* 122 &+ UInt32($1) }
        return names[names.startIndex + Int(hash % UInt32(names.count))]
    }
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
