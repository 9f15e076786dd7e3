import Diffable
import JokesCore
import Terminal
import TextLayout

extension Model {
    /// To the next row that was found, or to the one before, from wherever the cursor is; at the end around.
    mutating func goToFound(isForward: Bool) -> [Effect] {
        guard search?.asked != nil else {
            notice = Notice(text: "No search yet; \(keys.name(of: .search)) starts one", role: .plain)
            return []
        }
        folded.remove(.searchResults)
        guard let first = rows.firstItem(of: .searchResults), let last = rows.lastItem(of: .searchResults) else {
            notice =
                isAwaited
                ? Notice(text: "Still searching\u{2026}", role: .plain, end: .picture)
                : Notice(text: "No matches; \(keys.name(of: .search)) edits the search", role: .plain)
            return []
        }
        if isForward, cursor == .more(.searchResults) { return goOn() }
        let isFromJoke = jokeAtCursor != nil && cursor.flatMap { rows.section(of: $0) } == .searchResults
        let next = isFromJoke ? cursor.flatMap { isForward ? rows.row(after: $0) : rows.row(before: $0) } : nil
        if let next, rows.section(of: next) == .searchResults, next != .header(.searchResults) {
            go(to: next)
            return goOn()
        }
        if isFromJoke { notice = Notice(text: "Wrapped to the \(isForward ? "first" : "last") match", role: .plain) }
        go(to: isForward ? first : last)
        return []
    }

    /// To the header of a section, which comes to the top of the screen; the first one is 1.
    mutating func goToSection(_ number: Int) {
        let sections = rows.snapshot.sectionIdentifiers
        guard sections.indices.contains(number - 1) else {
            let last = sections.isEmpty ? "" : "; the last is \(sections.count)"
            notice = Notice(text: "No section \(number)\(last)", role: .plain)
            return
        }
        place(.header(sections[number - 1]), at: 0)
        go(to: .header(sections[number - 1]))
    }
}
