import Diffable
import JokesCore
package import Terminal
import TextLayout

/// Which part of the screen shows what: the list, beside or below it the details, and the status in the last line.
package struct Layout: Hashable, Sendable {
    /// Where the details of the row under the cursor are, and the size of their text.
    package enum Details: Hashable, Sendable {
        /// To the right of the list, behind a rule between blanks.
        case beside(Size)
        /// Below the list and a line that is a rule, with a blank on either side.
        case below(Size)

        package var size: Size {
            switch self {
            case .beside(let size), .below(let size): size
            }
        }
    }

    package let list: Size
    /// Nil where they are not shown.
    package let details: Details?

    private static let columnsForBeside = 100
    private static let rowsForBelow = 16
    /// Lines of text are tiring to read where they are longer.
    private static let widestBeside = 60

    /// Where nobody has said whether the details are wanted (nil), they are there where they take nothing from the
    /// list's height.
    package init(_ screen: Size, wantsDetails: Bool?) {
        // The last line is the status, where there are two.
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

    /// Lines of the screen that the list has, now: a refusal may take some.
    var listHeight: Int {
        layout.list.rows - linesUnderStatus
    }

    /// Columns of the screen that the list has.
    var listWidth: Int {
        layout.list.columns
    }
}

// The details of the row under the cursor: whether they are shown, and how far they are scrolled.

extension Model {
    /// Shows or hides the details: with the list where there is room, else in its place.
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

    /// Scrolls the details that are beside or below the list, but not past their ends.
    mutating func scrollDetails(by lines: Int) {
        guard let size = layout.details?.size else {
            detailTop = 0
            return
        }
        detailTop = max(0, min(detailTop + lines, detailLines(width: size.columns).count - size.rows))
    }

    /// The favorite that is kept of a joke; nil where the picture shows none.
    func favorite(of joke: JokeID) -> Favorite? {
        guard case .favorite(let favorite) = snapshot?.item(for: .favorite(joke)) else { return nil }
        return favorite
    }
}
