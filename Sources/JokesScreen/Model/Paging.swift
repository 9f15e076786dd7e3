import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The number of jokes that are loaded at a time.
    private static let page = 50

    /// Requests the current view, unless it was requested.
    mutating func watch() -> [Effect] {
        let query = search?.asked
        let wanted = Wire.View(query: query, size: query == nil ? jokesSize : search?.size)
        guard wanted != watched else { return [] }
        watched = wanted
        isAwaited = true
        return [.ask(.watch(wanted))]
    }

    /// Loads more if the cursor is on the row for this. Call it after each move down.
    mutating func goOn() -> [Effect] {
        guard case .more(let section) = cursor else { return [] }
        return goOn(behind: section)
    }

    /// Loads more jokes of a section, unless a request is waiting.
    mutating func goOn(behind section: Section.ID) -> [Effect] {
        guard !isAwaited else { return [] }
        let size = min(rows.numberOfJokes(in: section) + Self.page, View.largestSize)
        if search?.asked == nil { jokesSize = max(size, jokesSize ?? 0) } else { search?.size = size }
        let effects = watch()
        if effects.isEmpty {
            notice = Notice(
                text: "At most \(View.largestSize) jokes are listed; \(keys.name(of: .search)) searches all",
                role: .plain)
        }
        return effects
    }

    /// The row after the last joke of an incomplete section.
    func moreLine(of section: Section.ID) -> Line {
        let count = rows.numberOfMore(in: section)
        // The daemon sends no more at a time.
        let isAll = watched.size == View.largestSize
        let hint = isAll ? "\(keys.name(of: .search)) searches them" : "scroll down to load"
        let words = isAwaited ? ["Loading more\u{2026}"] : ["\(count) more; \(hint)", "\(count) more"]
        return Line("  \u{2026} ", .muted) + Line(fitting([words], in: listWidth - 4), .muted)
    }
}

extension Rows {
    /// The number of jokes in a section without loading rows. O(loading rows)
    func numberOfJokes(in section: Section.ID) -> Int {
        let count = snapshot.numberOfItems(inSection: section)
        guard let number = snapshot.indexOfSection(section) else { return 0 }
        let loading = (0..<count).first { index in
            guard case .loading = snapshot.itemIdentifier(at: ItemIndexPath(section: number, item: index)) else {
                return true
            }
            return false
        }
        return count - (loading ?? count)
    }

    /// The minimum number of jokes that a section does not show. O(loading rows)
    func numberOfMore(in section: Section.ID) -> Int {
        let shown = numberOfJokes(in: section)
        switch snapshot.section(for: section) {
        case _ where shown == 0: return 0
        case .jokes(let header): return max(0, header.cached - shown)
        case .searchResults(_, let count, let isExact): return max(isExact ? 0 : 1, count - shown)
        default: return 0
        }
    }
}
