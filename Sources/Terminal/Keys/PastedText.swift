/// Text that is being pasted, as far as it has come.
package struct PastedText: Sendable {
    /// So much of it is kept: nobody types more into a line.
    package static let longest = 4096

    private var scalars = String.UnicodeScalarView()
    private var count = 0

    package init() {}

    package mutating func take(_ scalar: Unicode.Scalar) {
        guard count < Self.longest else { return }
        scalars.append(scalar)
        count += 1
    }

    /// It in one line: a blank for each line feed between its lines, none for those around them; see `sanitized`.
    package var line: String {
        sanitized(String(scalars).split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
