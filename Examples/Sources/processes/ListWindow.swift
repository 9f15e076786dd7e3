import CCurses
import Diffable

/// A list in a window of ncurses, with a line for each section and each item.
///
/// The window keeps no copy of the list, only the number of items in each section, to find the line of an index path.
final class ListWindow<
    Section: Identifiable & Equatable & CustomStringConvertible,
    Item: Identifiable & Equatable & CustomStringConvertible
> {
    /// A pad: a window that may be larger than the screen. A line has room for 60 wide characters.
    private let pad = newpad(1, 120)
    private var itemCounts: [Int] = []
    private var lineCount = 0
    private var firstShownLine = 0

    init() { keypad(pad, true) }

    /// Performs one step of a difference by operations on lines.
    func perform(_ step: ListStep<Section, Item>) {
        switch step {
        case .deleteItems(let items, let section):
            for _ in items { deleteLine(line(of: ItemIndexPath(section: section, item: items.lowerBound))) }
            itemCounts[section] -= items.count
        case .insertItems(let items, let path):
            for item in items.reversed() { insert(item, atLine: line(of: path)) }
            itemCounts[path.section] += items.count
        case .moveItem(let from, let to):
            let cells = cutLine(line(of: from))
            itemCounts[from.section] -= 1
            paste(cells, atLine: line(of: to))
            itemCounts[to.section] += 1
        case .updateItem(let item, let path):
            write(item, atLine: line(of: path))
        case .deleteSection(let index):
            deleteLine(line(ofSection: index))
            itemCounts.remove(at: index)
        case .insertSection(let section, let index):
            insert(section, atLine: line(ofSection: index))
            itemCounts.insert(0, at: index)
        case .moveSection(let from, let to):
            let lines = (0...itemCounts[from]).map { _ in cutLine(line(ofSection: from)) }
            let itemCount = itemCounts.remove(at: from)
            for cells in lines.reversed() { paste(cells, atLine: line(ofSection: to)) }
            itemCounts.insert(itemCount, at: to)
        case .updateSection(let section, let index):
            write(section, atLine: line(ofSection: index))
        }
    }

    /// Shows the lines around the cursor on a screen of this size.
    func show(cursor: ItemIndexPath?, rows: Int, columns: Int) {
        if rows > Int(getmaxy(pad)) { wresize(pad, Int32(rows), getmaxx(pad)) }
        let line = cursor.map(line(of:)) ?? 0
        // The line before the cursor may be a header.
        firstShownLine = max(0, min(firstShownLine, line - 1, lineCount - rows), line - rows + 1)
        wmove(pad, Int32(line), 0)
        if cursor != nil { wchgat(pad, -1, curses_reverse(), 0, nil) }
        pnoutrefresh(pad, Int32(firstShownLine), 0, 0, 0, Int32(rows - 1), Int32(columns - 1))
        wchgat(pad, -1, 0, 0, nil)
        doupdate()
    }

    /// Waits for a key; `ERR` if there is none in time.
    func key(within timeout: Duration) -> Int32 {
        wtimeout(pad, Int32(max(0, timeout / .milliseconds(1))))
        return wgetch(pad)
    }

    private func line(ofSection section: Int) -> Int { itemCounts[..<section].reduce(section, +) }

    private func line(of path: ItemIndexPath) -> Int { line(ofSection: path.section) + 1 + path.item }

    private func deleteLine(_ line: Int) {
        wmove(pad, Int32(line), 0)
        wdeleteln(pad)
        lineCount -= 1
    }

    private func insertLine(_ line: Int) {
        lineCount += 1
        // A line that `winsertln` pushes over the end of the window is lost.
        if lineCount > Int(getmaxy(pad)) { wresize(pad, Int32(lineCount + 100), getmaxx(pad)) }
        wmove(pad, Int32(line), 0)
        winsertln(pad)
    }

    private func cutLine(_ line: Int) -> [cchar_t] {
        var cells = Array(repeating: cchar_t(), count: Int(getmaxx(pad)) + 1)
        wmove(pad, Int32(line), 0)
        win_wchnstr(pad, &cells, getmaxx(pad))
        deleteLine(line)
        return cells
    }

    private func paste(_ cells: [cchar_t], atLine line: Int) {
        insertLine(line)
        wadd_wchnstr(pad, cells, -1)
    }

    private func insert(_ element: some CustomStringConvertible, atLine line: Int) {
        insertLine(line)
        write(element, atLine: line)
    }

    /// Replaces the text of a line. A process can choose its name, so control and format characters are not written.
    private func write(_ element: some CustomStringConvertible, atLine line: Int) {
        let scalars = element.description.unicodeScalars.prefix(60).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: "?"
            default: scalar
            }
        }
        wmove(pad, Int32(line), 0)
        wclrtoeol(pad)
        waddnstr(pad, String(String.UnicodeScalarView(scalars)), -1)
    }
}
