import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// So many jokes more are asked for at a time.
    private static let page = 50

    /// Asks for the view that is wanted now, where another one is watched.
    mutating func watch() -> [Effect] {
        let query = search?.asked
        let wanted = Wire.View(query: query, size: query == nil ? jokesSize : search?.size)
        guard wanted != watched else { return [] }
        watched = wanted
        isAwaited = true
        return [.ask(.watch(wanted))]
    }

    /// At the end of what is shown of a section, asks for what comes behind it. To be called after what moves the cursor
    /// on.
    mutating func goOn() -> [Effect] {
        guard case .more(let section) = cursor else { return [] }
        return goOn(behind: section)
    }

    /// Asks for what comes behind what is shown of a section that has more; once, until it has come.
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

    /// The row behind the last joke that is shown of a section.
    func moreLine(of section: Section.ID) -> Line {
        let count = rows.numberOfMore(in: section)
        // The daemon tells no more than that at a time.
        let isAll = watched.size == View.largestSize
        let hint = isAll ? "\(keys.name(of: .search)) searches them" : "scroll down to load"
        let words = isAwaited ? ["Loading more\u{2026}"] : ["\(count) more; \(hint)", "\(count) more"]
        return Line("  \u{2026} ", .muted) + Line(fitting([words], in: listWidth - 4), .muted)
    }
}

extension Rows {
    /// How many jokes of a section are shown. O(rows that are loading).
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

    /// How many jokes more there are at least than a section shows. Likewise.
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
