import Terminal
import TextLayout

extension Model {
    /// Gives each row one line, or as many as it needs. The cursor's stays on its line of the screen.
    mutating func toggleWrapping() {
        let line = cursor.flatMap { screenLine(of: $0) }
        wrapsRows.toggle()
        notice = Notice(
            text: wrapsRows
                ? "Rows in several lines." : "Rows in one line; \(keys.name(of: .wrap)) wraps them again.",
            role: .plain)
        if let cursor, let line { place(cursor, at: line) }
        showCursor()
    }
}
