import Diffable
import JokesCore

/// A row of the list.
enum RowID: Hashable, Sendable {
    case header(Section.ID)
    case item(Item.ID)
}

/// The rows of a snapshot, without the items of folded sections. Each access looks them up in the snapshot, in O(1)
/// unless stated otherwise.
struct Rows {
    let snapshot: JokeSnapshot
    let folded: Set<Section.ID>
    /// True if moving up from the first loaded joke loads earlier ones. Without a daemon, moving up goes to the header.
    var endsAtWindow = true

    /// The number of the section, and of the row within it, from 0; -1 for the header.
    struct Position: Comparable {
        var section: Int
        var item: Int

        static func < (a: Position, b: Position) -> Bool { (a.section, a.item) < (b.section, b.item) }
    }

    var first: RowID? { snapshot.sectionIdentifiers.first.map { firstRow(of: $0) } }

    var last: RowID? { snapshot.sectionIdentifiers.last.map { row(at: lastRow(of: $0), in: $0) } }

    var hasJokes: Bool { snapshot.sectionIdentifiers.contains { numberOfJokes(in: $0) > 0 } }

    /// False for the only section while its items are shown: the first line of the screen names it.
    func hasHeader(_ section: Section.ID) -> Bool { snapshot.numberOfSections > 1 || lastRow(of: section) < 0 }

    /// The header of a section, or its first item if it has no header.
    func firstRow(of section: Section.ID) -> RowID { row(at: hasHeader(section) ? -1 : 0, in: section) }

    func contains(_ row: RowID) -> Bool { position(of: row) != nil }

    /// Nil if the row is not shown.
    func position(of row: RowID) -> Position? {
        switch row {
        case .header(let section):
            guard let number = snapshot.indexOfSection(section), hasHeader(section) else { return nil }
            return Position(section: number, item: -1)
        case .item(let item):
            guard let section = snapshot.sectionIdentifier(containingItem: item), !folded.contains(section),
                let path = snapshot.indexPath(for: item)
            else { return nil }
            return Position(section: path.section, item: path.item)
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

    /// Nil for the first row, and for the first joke of a window if moving up loads jokes.
    func row(before row: RowID) -> RowID? {
        guard let position = position(of: row) else { return nil }
        let sections = snapshot.sectionIdentifiers
        if position.item == 0, endsAtWindow, numberAbove(sections[position.section]) > 0 { return nil }
        let section = sections[position.section]
        if position.item > 0 || position.item == 0 && hasHeader(section) {
            return self.row(at: position.item - 1, in: section)
        }
        guard position.section > 0 else { return nil }
        return self.row(at: lastRow(of: sections[position.section - 1]), in: sections[position.section - 1])
    }

    /// The section of the row; nil if it does not exist.
    func section(of row: RowID) -> Section.ID? {
        switch row {
        case .header(let section):
            snapshot.containsSection(section) ? section : nil
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

    /// The number of rows after a row in its section; 0 if the row is not shown.
    func numberOfRows(after row: RowID) -> Int {
        position(of: row).map { lastRow(of: snapshot.sectionIdentifiers[$0.section]) - $0.item } ?? 0
    }

    /// The number of the last row of the section, -1 for its header.
    private func lastRow(of section: Section.ID) -> Int {
        if folded.contains(section) { return -1 }
        return snapshot.numberOfItems(inSection: section) - 1
    }

    private func row(at index: Int, in section: Section.ID) -> RowID {
        guard index >= 0, let number = snapshot.indexOfSection(section),
            let id = snapshot.itemIdentifier(at: ItemIndexPath(section: number, item: index))
        else { return .header(section) }
        return .item(id)
    }
}

extension Rows {
    /// The row that replaces one of these rows in `others`.
    ///
    /// This is the same row, else the next item of its section that exists, else the previous one, else the header, else
    /// the first row. If only parts of the list are loaded, and they have no item in common, it is the item with the same
    /// number. O(rows of the section)
    func replacement(of row: RowID, in others: Rows) -> RowID? {
        if others.contains(row) { return row }
        guard let section = section(of: row) else { return others.first }
        let items = snapshot.itemIdentifiers(inSection: section).map { RowID.item($0) }
        let index = max(0, position(of: row)?.item ?? 0)
        if let item = items[index...].first(where: others.contains) ?? items[..<index].last(where: others.contains) {
            return item
        }
        let isPart = numberAbove(section) > 0 || others.numberAbove(section) > 0
        if isPart, row != .header(section), let number = number(of: row), let item = others.item(number, in: section) {
            return item
        }
        return others.contains(.header(section)) ? .header(section) : others.first
    }

    /// The number of jokes of its section before the row; negative above the first joke, nil if the row is not shown.
    func number(of row: RowID) -> Int? {
        guard let section = section(of: row), let position = position(of: row) else { return nil }
        return numberAbove(section) + position.item - loadingRows(in: section)
    }

    /// True if jokes of its section before the row are not loaded, and no header is above it.
    func hasMore(above row: RowID) -> Bool { row == first && number(of: row) ?? 0 > 0 }

    /// The item of a section that is nearest to the number.
    func item(_ number: Int, in section: Section.ID) -> RowID? {
        let count = numberOfJokes(in: section)
        guard count > 0, !folded.contains(section) else { return nil }
        let index = max(0, min(number - numberAbove(section), count - 1))
        return row(at: loadingRows(in: section) + index, in: section)
    }
}

extension Rows {
    /// The number of a joke among those of its section, from 1; nil for other rows.
    func numberOfJoke(_ row: RowID) -> Int? {
        guard case .item(let id) = row, id.joke != nil else { return nil }
        return number(of: row).map { $0 + 1 }
    }

    /// The number of jokes in a section without the loading row.
    func numberOfJokes(in section: Section.ID) -> Int {
        snapshot.numberOfItems(inSection: section) - loadingRows(in: section)
    }

    /// 1 if the section begins with a loading row.
    private func loadingRows(in section: Section.ID) -> Int {
        if case .item(.loading) = firstItem(of: section) { 1 } else { 0 }
    }

    /// The numbers of the loaded jokes of a section, from 0.
    func numbers(in section: Section.ID) -> Range<Int> {
        let first = numberAbove(section)
        return first..<first + numberOfJokes(in: section)
    }

    /// The minimum number of jokes that a section does not show.
    func numberOfMore(in section: Section.ID) -> Int {
        let shown = numberOfJokes(in: section)
        switch snapshot.section(for: section) {
        case _ where shown == 0: return 0
        case .jokes(let header): return max(0, header.shown - header.start - shown)
        case .searchResults(_, let count, let isExact, let start): return max(isExact ? 0 : 1, count - start - shown)
        default: return 0
        }
    }

    /// The number of jokes before the first item of a section.
    func numberAbove(_ section: Section.ID) -> Int {
        switch snapshot.section(for: section) {
        case _ where snapshot.numberOfItems(inSection: section) == 0: 0
        case .jokes(let header): header.start
        case .searchResults(_, _, _, let start): start
        default: 0
        }
    }
}
