import Diffable
import JokesCore
package import Terminal
import TextLayout

/// The parts of the screen: the list, the details beside or below it, and the status line at the bottom.
package struct Layout: Hashable, Sendable {
    /// The place of the details, and the size of their text.
    package enum Details: Hashable, Sendable {
        /// To the right of the list, after a vertical rule.
        case beside(Size)
        /// Below the list and a horizontal rule.
        case below(Size)

        package var size: Size {
            switch self {
            case .beside(let size), .below(let size): size
            }
        }
    }

    package let list: Size
    /// Nil if the details are hidden.
    package let details: Details?

    private static let columnsForBeside = 100
    private static let rowsForBelow = 16
    /// Longer lines are tiring to read.
    private static let widestBeside = 60

    /// If `wantsDetails` is nil, the details are shown if there is room beside the list.
    package init(_ screen: Size, wantsDetails: Bool?) {
        // The last line is the status, unless there is only one.
        let rows = screen.rows > 1 ? screen.rows - 1 : screen.rows
        let isWide = screen.columns >= Self.columnsForBeside
        if isWide, wantsDetails != false {
            let width = min(Self.widestBeside, screen.columns * 2 / 5)
            list = Size(columns: screen.columns - width - 3, rows: rows)
            details = .beside(Size(columns: width, rows: rows))
        } else if wantsDetails == true, screen.rows >= Self.rowsForBelow {
            let height = rows * 2 / 5
            list = Size(columns: screen.columns, rows: rows - height - 1)
            details = .below(Size(columns: max(1, screen.columns - 2), rows: height))
        } else {
            list = Size(columns: screen.columns, rows: rows)
            details = nil
        }
    }
}

extension Model {
    package var layout: Layout {
        Layout(size, wantsDetails: wantsDetails)
    }

    /// The lines of the list: a refusal may take some.
    var listHeight: Int {
        layout.list.rows - linesUnderStatus
    }

    var listWidth: Int {
        layout.list.columns
    }
}

extension Model {
    /// Shows or hides the details: with the list if there is room, otherwise as a page.
    mutating func toggleDetails() {
        if layout.details != nil {
            wantsDetails = false
        } else if Layout(size, wantsDetails: true).details != nil {
            wantsDetails = true
        } else {
            page = Page(.details)
        }
        detailTop = 0
        showCursor()
    }

    /// Scrolls the details within their ends.
    mutating func scrollDetails(by lines: Int) {
        guard let size = layout.details?.size else {
            detailTop = 0
            return
        }
        detailTop = max(0, min(detailTop + lines, detailLines(width: size.columns).count - size.rows))
    }

    /// The favorite with the ID of the joke; nil if the snapshot has none.
    func favorite(of joke: JokeID) -> Favorite? {
        guard case .favorite(let favorite) = snapshot?.item(for: .favorite(joke)) else { return nil }
        return favorite
    }
}
