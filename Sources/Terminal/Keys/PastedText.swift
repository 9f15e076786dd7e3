import TextLayout

/// Text that is being pasted, as far as it has come.
package struct PastedText: Sendable {
    /// So much of it is kept: nobody types more into a line.
    package static let longest = 4096

    private var scalars = String.UnicodeScalarView()
    private var count = 0
    /// So much of the mark at the end has come. It has its first character nowhere else.
    private var marked = 0

    private static let end = Array(InputMark.pasteEnd.sequence.unicodeScalars)

    package init() {}

    /// Takes the character that comes next. True where it is the last of the mark at the end, which is none of the text:
    /// ncurses does not know one that comes in pieces.
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

    /// Something came that is no text: no mark has it in it.
    package mutating func passOver() {
        for scalar in Self.end.prefix(marked) { append(scalar) }
        marked = 0
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        guard count < Self.longest else { return }
        scalars.append(scalar)
        count += 1
    }

    /// It in one line: a blank for each line feed between its lines, none for those around them; see `sanitized`.
    package var line: String {
        sanitized(String(scalars).split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
