import Diffable
package import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// A row of the list.
package enum RowID: Hashable, Sendable {
    case header(Section.ID)
    case item(Item.ID)
    /// The row after the last item of an incomplete section.
    case more(Section.ID)
}

/// The rows of a snapshot, without the items of folded sections. Each access looks them up in the snapshot, in O(1)
/// unless stated otherwise.
struct Rows {
    let snapshot: JokeSnapshot
    let folded: Set<Section.ID>

    /// The number of the section, and of the row within it; -1 for the header.
    struct Position: Comparable {
        var section: Int
        var item: Int

        static func < (a: Position, b: Position) -> Bool { (a.section, a.item) < (b.section, b.item) }
    }

    var first: RowID? { snapshot.sectionIdentifiers.first.map { .header($0) } }

    var last: RowID? { snapshot.sectionIdentifiers.last.map { row(at: lastRow(of: $0), in: $0) } }

    func contains(_ row: RowID) -> Bool { position(of: row) != nil }

    /// Nil if the row is not shown.
    func position(of row: RowID) -> Position? {
        switch row {
        case .header(let section):
            return snapshot.indexOfSection(section).map { Position(section: $0, item: -1) }
        case .item(let item):
            guard let section = snapshot.sectionIdentifier(containingItem: item), !folded.contains(section),
                let path = snapshot.indexPath(for: item)
            else { return nil }
            return Position(section: path.section, item: path.item)
        case .more(let section):
            guard !folded.contains(section), numberOfMore(in: section) > 0 else { return nil }
            let count = snapshot.numberOfItems(inSection: section)
            return snapshot.indexOfSection(section).map { Position(section: $0, item: count) }
        }
    }

    func row(after row: RowID) -> RowID? {
        guard let position = position(of: row) else { return nil }
        let sections = snapshot.sectionIdentifiers
        let section = sections[position.section]
        if position.item < lastRow(of: section) { return self.row(at: position.item + 1, in: section) }
        let next = position.section + 1
        return next < sections.count ? .header(sections[next]) : nil
    }

    func row(before row: RowID) -> RowID? {
        guard let position = position(of: row) else { return nil }
        let sections = snapshot.sectionIdentifiers
        if position.item >= 0 { return self.row(at: position.item - 1, in: sections[position.section]) }
        guard position.section > 0 else { return nil }
        let section = sections[position.section - 1]
        return self.row(at: lastRow(of: section), in: section)
    }

    /// The section of the row; nil if it does not exist.
    func section(of row: RowID) -> Section.ID? {
        switch row {
        case .header(let section), .more(let section): snapshot.containsSection(section) ? section : nil
        case .item(let item): snapshot.sectionIdentifier(containingItem: item)
        }
    }

    func firstItem(of section: Section.ID) -> RowID? {
        snapshot.numberOfItems(inSection: section) > 0 ? row(at: 0, in: section) : nil
    }

    func lastItem(of section: Section.ID) -> RowID? {
        let count = snapshot.numberOfItems(inSection: section)
        return count > 0 ? row(at: count - 1, in: section) : nil
    }

    /// The number of the last row of the section, -1 for its header.
    private func lastRow(of section: Section.ID) -> Int {
        if folded.contains(section) { return -1 }
        return snapshot.numberOfItems(inSection: section) - (numberOfMore(in: section) > 0 ? 0 : 1)
    }

    private func row(at index: Int, in section: Section.ID) -> RowID {
        guard index >= 0, let number = snapshot.indexOfSection(section),
            let item = snapshot.item(at: ItemIndexPath(section: number, item: index))
        else { return index < 0 ? .header(section) : .more(section) }
        return .item(item.id)
    }
}

extension Rows {
    /// The row that replaces one of these rows in `others`.
    ///
    /// This is the same row, else the next row of its section that exists, else the previous one, else the header, else
    /// the first row. A `more` row is replaced by the row after the last item. O(missing rows)
    func replacement(of row: RowID, in others: Rows) -> RowID? {
        if case .more(let section) = row, let last = lastItem(of: section), let next = others.row(after: last),
            others.section(of: next) == section
        {
            return next
        }
        if others.contains(row) { return row }
        guard let section = section(of: row) else { return others.first }
        for step in [self.row(after:), self.row(before:)] {
            var candidate = step(row)
            while let found = candidate, self.section(of: found) == section {
                if others.contains(found), found != .header(section) { return found }
                candidate = step(found)
            }
        }
        return others.contains(.header(section)) ? .header(section) : others.first
    }
}

extension Model {
    /// The number of jokes that are loaded at a time.
    private static let page = 50

    /// Requests the current view, unless it was requested.
    mutating func watch() -> [Effect] {
        let query = search?.activeQuery
        let wanted = Wire.View(query: query, size: query == nil ? jokesSize : search?.size, selection: selection)
        guard wanted != watched else { return [] }
        watched = wanted
        isAwaitingSnapshot = true
        return [.send(.watch(wanted))]
    }

    /// Loads more if the cursor is on the row for this. Call it after each move down.
    mutating func loadMoreAtCursor() -> [Effect] {
        guard case .more(let section) = cursor else { return [] }
        return loadMore(in: section)
    }

    /// Loads more jokes of a section, unless a request is waiting.
    mutating func loadMore(in section: Section.ID) -> [Effect] {
        guard !isAwaitingSnapshot else { return [] }
        let size = min(rows.numberOfJokes(in: section) + Self.page, View.maxSize)
        if search?.activeQuery == nil { jokesSize = max(size, jokesSize ?? 0) } else { search?.size = size }
        let effects = watch()
        if effects.isEmpty {
            notice = Notice(
                text: "At most \(View.maxSize) jokes are listed; \(keys.name(of: .search)) searches all")
        }
        return effects
    }

    /// The row after the last joke of an incomplete section.
    func moreLine(of section: Section.ID) -> Line {
        let count = rows.numberOfMore(in: section)
        // The daemon sends no more at a time.
        let isAll = watched.size == View.maxSize
        let hint = isAll ? "\(keys.name(of: .search)) searches them" : "scroll down to load"
        let words = isAwaitingSnapshot ? ["Loading more\u{2026}"] : ["\(count) more; \(hint)", "\(count) more"]
        return Line("  \u{2026} ", .muted) + Line(fitting([words], in: listWidth - 4), .muted)
    }
}

extension Rows {
    /// The number of a joke among those of its section, from 1; nil for other rows. O(loading rows)
    func numberOfJoke(_ row: RowID) -> Int? {
        guard case .item(let id) = row, id.joke != nil, let position = position(of: row),
            let section = snapshot.sectionIdentifier(containingItem: id)
        else { return nil }
        let loading = snapshot.numberOfItems(inSection: section) - numberOfJokes(in: section)
        return position.item + 1 - loading
    }

    /// The number of jokes in a section without loading rows. O(loading rows)
    func numberOfJokes(in section: Section.ID) -> Int {
        guard let number = snapshot.indexOfSection(section) else { return 0 }
        let items = 0..<snapshot.numberOfItems(inSection: section)
        return items.drop { index in
            let id = snapshot.itemIdentifier(at: ItemIndexPath(section: number, item: index))
            return if case .loading = id { true } else { false }
        }.count
    }

    /// The minimum number of jokes that a section does not show. O(loading rows)
    func numberOfMore(in section: Section.ID) -> Int {
        let shown = numberOfJokes(in: section)
        switch snapshot.section(for: section) {
        case _ where shown == 0: return 0
        case .jokes(let header): return max(0, header.shown - shown)
        case .searchResults(_, let count, let isExact, _): return max(isExact ? 0 : 1, count - shown)
        default: return 0
        }
    }
}
