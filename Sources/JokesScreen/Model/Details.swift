import Diffable
import JokesCore
import Terminal
import TextLayout

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
