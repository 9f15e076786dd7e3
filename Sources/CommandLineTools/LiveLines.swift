import Glibc
import Unix

/// Lines that are updated in place on a terminal; elsewhere, only their final text is written. Each method returns the
/// text to write.
///
/// Finished lines come first, each at its full length. Of the other lines, as many are shown as fit the terminal.
package struct LiveLines: Sendable {
    /// The size of a terminal in characters.
    package struct Area: Hashable, Sendable {
        package var columns, rows: Int

        package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
    }

    private var filling: [(key: String, text: String)] = []
    private let area: Area?

    /// `area` is nil if the lines do not go to a terminal.
    package init(on area: Area?) { self.area = area }

    /// Sets the text of a line, which is cut off at the width of the terminal. No character may take two columns,
    /// unless the text fits.
    package mutating func update(_ key: String, to text: String) -> String {
        guard let area else { return "" }
        let line = String(text.prefix(max(area.columns - 1, 0)))
        let erasure = self.erasure
        if let index = filling.firstIndex(where: { $0.key == key }) {
            filling[index].text = line
        } else {
            filling.append((key, line))
        }
        return erasure + shown.map { "\($0)\n" }.joined()
    }

    /// Ends a line with its final text, which may have any length.
    package mutating func finish(_ key: String, with text: String) -> String {
        let erasure = self.erasure
        filling.removeAll { $0.key == key }
        return erasure + "\(text)\n" + shown.map { "\($0)\n" }.joined()
    }

    /// The lines that fit above the row of the cursor.
    private var shown: [String] { filling.suffix(max((area?.rows ?? 0) - 1, 0)).map(\.text) }

    /// Moves to the first shown line, and erases everything below.
    private var erasure: String {
        let count = shown.count
        return count == 0 ? "" : "\u{1B}[\(count)A\r\u{1B}[J"
    }
}

/// The size of the terminal; nil if there is no terminal, or the size is unknown.
package func terminalArea(of descriptor: Int32) -> LiveLines.Area? {
    var window = winsize()
    guard isTerminal(descriptor), ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0
    else { return nil }
    return LiveLines.Area(columns: Int(window.ws_col), rows: Int(window.ws_row))
}

/// The size of a terminal that can update lines in place; nil as in `terminalArea(of:)`, and for TERM=dumb.
package func liveArea(of descriptor: Int32) -> LiveLines.Area? {
    environment("TERM") == "dumb" ? nil : terminalArea(of: descriptor)
}
