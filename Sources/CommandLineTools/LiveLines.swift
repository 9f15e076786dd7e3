import Glibc
import Unix

/// Lines that fill in: on a terminal each is written anew in its place for as long as it lasts, elsewhere only what it
/// says in the end is written. Pure: the answers are what to write.
///
/// Lines that are done stand above those that still fill in, in the order in which they were done, at their whole
/// length. A line that is written anew is no longer than the terminal is wide, and of those no more are shown than fit.
package struct LiveLines: Sendable {
    /// The size of a terminal in characters.
    package struct Area: Hashable, Sendable {
        package var columns: Int
        package var rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    private var filling: [(key: String, text: String)] = []
    private let area: Area?

    /// - Parameter area: Of the terminal; nil where the lines go somewhere else.
    package init(on area: Area?) {
        self.area = area
    }

    /// What a line says by now: clean text, of which more than fits is cut off. No character of it takes more than a
    /// column, or it is no wider than the terminal as it is.
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

    /// What a line says in the end: clean text of any length.
    package mutating func finish(_ key: String, with text: String) -> String {
        let erasure = self.erasure
        filling.removeAll { $0.key == key }
        return "\(erasure)\(text)\n" + shown.map { "\($0)\n" }.joined()
    }

    /// A line that is not needed any more: nothing of it stays.
    package mutating func remove(_ key: String) -> String {
        let erasure = self.erasure
        filling.removeAll { $0.key == key }
        return erasure + shown.map { "\($0)\n" }.joined()
    }

    /// The lines that fill in and fit, with a row left for the cursor below them.
    private var shown: [String] {
        filling.suffix(max((area?.rows ?? 0) - 1, 0)).map(\.text)
    }

    /// Back to the beginning of the first line that fills in, and everything below it erased.
    private var erasure: String {
        let count = shown.count
        return count == 0 ? "" : "\u{1B}[\(count)A\r\u{1B}[J"
    }
}

/// The size of the terminal at the other end; nil where there is none, or it does not say.
package func terminalArea(of descriptor: Int32) -> LiveLines.Area? {
    var window = winsize()
    guard isTerminal(descriptor), ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0
    else { return nil }
    return LiveLines.Area(columns: Int(window.ws_col), rows: Int(window.ws_row))
}

/// The size of the terminal at the other end, where lines may be written anew in their places: nil where there is none, it
/// is a dumb one, or it does not say.
package func liveArea(of descriptor: Int32) -> LiveLines.Area? {
    environment("TERM") == "dumb" ? nil : terminalArea(of: descriptor)
}
