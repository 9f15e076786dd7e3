import Terminal
import TextLayout

extension Model {
    /// Gives each row one line, or as many as it needs. The cursor's stays on its line of the screen.
    mutating func toggleWrapping() {
        let line = cursor.flatMap { screenLine(of: $0) }
        wrapsRows.toggle()
        notice = Notice(
            text: wrapsRows
                ? "Line wrapping on" : "Line wrapping off; \(keys.name(of: .wrap)) turns it on",
            role: .plain)
        if let cursor, let line { place(cursor, at: line) }
        showCursor()
    }
}
