import TextLayout

/// The text of a paste so far.
package struct PastedText: Sendable {
    /// The maximum number of characters that are kept.
    package static let longest = 4096

    private var scalars = String.UnicodeScalarView()
    private var count = 0
    /// The number of characters of the end mark that have come. Only its first one is an escape.
    private var marked = 0

    private static let end = Array(InputMark.pasteEnd.rawValue.unicodeScalars)

    package init() {}

    /// Adds a character. True if it completes the end mark, which is not part of the text.
    package mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        if scalar != Self.end[marked] { passOver() }
        if scalar == Self.end[marked] {
            marked += 1
        } else {
            append(scalar)
        }
        guard marked == Self.end.count else { return false }
        marked = 0
        return true
    }

    /// Handles a key, which is not part of any mark.
    package mutating func passOver() {
        for scalar in Self.end.prefix(marked) { append(scalar) }
        marked = 0
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard count < Self.longest else { return }
        scalars.append(scalar)
        count += 1
    }

    /// The text as one sanitized line, with a space between its lines.
    package var line: String {
        sanitized(String(scalars).split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
