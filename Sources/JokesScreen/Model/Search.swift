import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// A search, from the opening of its prompt to its end.
struct Search: Hashable, Sendable {
    var field: TextField
    /// True if keys go to the prompt.
    var isTyping = true
    /// The row of the cursor before the search.
    let origin: ExpectedRow?
    /// True if the search has folded the favorites, so that the results are on the screen.
    var hasFoldedFavorites = false

    var query: String { field.text }
    /// The query for the daemon; nil if it is blank.
    var activeQuery: String? { field.isBlank ? nil : query }
}

extension Model {
    /// Opens the prompt, with the query of the current search.
    mutating func openPrompt() {
        let origin = cursor.map { ExpectedRow(row: $0, line: screenLine(of: $0)) }
        search = search ?? Search(field: TextField(older: searchHistory), origin: origin)
        search?.isTyping = true
    }

    /// Folds the favorites when they appear above results.
    mutating func foldFavorites() {
        if folded.insert(.favoriteJokes).inserted { search?.hasFoldedFavorites = true }
    }

    /// Ends the search, and moves the cursor back.
    mutating func leaveSearch() -> [Effect] {
        guard let left = search else { return [] }
        search = nil
        if left.hasFoldedFavorites {
            folded.remove(.favoriteJokes)
            showCursor()
        }
        if watched.query != nil { expectedRow = left.origin }
        return watch()
    }

    mutating func ask(_ field: TextField) -> [Effect] {
        search?.field = field.cut(to: View.maxQueryBytes) { $0.utf8.count > View.maxQueryBytes }
        let effects = watch()
        if !effects.isEmpty { expectedRow = search?.activeQuery == nil ? search?.origin : nil }
        return effects
    }

    /// Moves to the header of the next section, or to that of this or the previous one, at the top of the screen.
    mutating func goToSection(isForward: Bool) {
        let sections = rows.snapshot.sectionIdentifiers
        guard let cursor, let section = rows.section(of: cursor), let number = sections.firstIndex(of: section) else {
            return
        }
        let next = isForward ? number + 1 : cursor == .header(section) ? number - 1 : number
        guard sections.indices.contains(next) else { return }
        let row = rows.firstRow(of: sections[next])
        place(row, at: 0)
        go(to: row)
    }
}
