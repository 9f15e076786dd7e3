import Diffable
import JokesCore
import Terminal
import TextLayout

// The header line and the rules around the list, the details and the pages.

extension Model {
    /// The tabs of the header: the sections, that of the cursor with the position in it, and two pages. Another page in place
    /// of the list has the only one.
    var tabs: [Tab] {
        let base = basePage?.kind
        if let base, ![.random, .sources].contains(base) { return [Tab(name: base.title(self), isShown: true)] }
        let shown = base == nil ? cursor.flatMap { rows.section(of: $0) } : nil
        let sections = snapshot?.sections.map { section in
            let isShown = section.id == shown
            let position = isShown ? cursor.flatMap { rows.numberOfJoke($0) }.map { "\($0)/" } ?? "" : ""
            return Tab(name: name(of: section, position), isShown: isShown, section: section.id)
        }
        let pages: [(Page.Kind, Action)] = [(.random, .random), (.sources, .sources)]
        return (sections ?? [Tab(name: "Jokes", isShown: base == nil)])
            + pages.map { Tab(name: $0.title(self), isShown: base == $0, action: $1) }
    }

    struct Tab {
        let name: String
        let isShown: Bool
        /// What a click on the tab shows.
        var section: Section.ID?
        var action: Action?
    }

    private func name(of section: Section, _ position: String) -> String {
        let names: [Section.ID: String] = [.favoriteJokes: "Favorites", .jokes: "Jokes", .searchResults: "Found"]
        return "\(names[section.id] ?? "") \(position)\(section.countWords)"
    }

    /// The columns of the header, which ends above the details.
    private var headerColumns: Int {
        if !layout.isFramed { return size.columns }
        if basePage == nil, layout.details != nil { return layout.list.columns }
        return size.columns - 2
    }

    /// The tabs with their columns in the header: all, or the shown one if there is little room.
    var placedTabs: [(columns: Range<Int>, tab: Tab)] {
        var column = 1
        let placed = tabs.map { tab in
            defer { column += tab.name.columns + 3 }
            return (columns: column..<column + tab.name.columns, tab: tab)
        }
        let shown = placed.first { $0.tab.isShown } ?? placed[0]
        return column + 10 <= headerColumns ? placed : [(1..<1 + shown.tab.name.columns, shown.tab)]
    }

    /// The query of the search and the filters, as far as they apply to what is shown.
    private var chips: [String] {
        if let basePage { return basePage.kind == .random ? filterNames : [] }
        return (search.flatMap { $0.isTyping ? nil : ["/\($0.query)"] } ?? []) + filterNames
    }

    /// The header: the tabs and filters, and the state of the daemon at the right.
    private func header(rule: String) -> Line {
        let width = headerColumns
        let edge = Line(rule, .frame)
        var name = edge
        for (columns, tab) in placedTabs {
            name =
                name + Line(columns.lowerBound == 1 ? " " : " \(vertical) ", .frame)
                + Line(tab.name, tab.isShown ? Style(.bold, .heading) : .muted)
        }
        name = name + Line(" ")
        for chip in chips { name = name + Line("[\(chip)", .accent).truncated(to: 24) + Line("] ", .accent) }
        let room = width - name.columns - 3
        let (clauses, role) = stateClauses
        let text = fitting(clauses, in: room)
        let words = Line(" ") + Line(text, Style([], role)).truncated(to: max(0, room)) + Line(" ")
        let state = text.isEmpty || room < min(12, text.columns) ? Line() : words + edge
        let gap = Line(repeating: rule, count: width - name.columns - state.columns, .frame)
        return (name + gap + state).fitted(to: width)
    }

    /// Adds the header, the details and the rules to the lines of the list.
    func withPanes(_ list: [Line]) -> [Line] {
        let (layout, bar) = (layout, scrollbar)
        guard let size = layout.details else { return framed(list, layout, bar: bar) }
        let inner = zip(list, shownDetailLines(in: size)).enumerated().map { row, lines in
            lines.0 + side(row, bar) + Line(" ") + lines.1 + Line(" ")
        }
        return framed(inner, layout, split: layout.list.columns)
    }

    /// Adds the header and the rules to the lines of a page.
    func framedPage(_ lines: [Line]) -> [Line] {
        framed(lines, Layout(size, wantsDetails: false, footer: footerHeight), bar: scrollbar)
    }

    /// Adds the frame of a popup. If the page continues below it, the lower rule says so.
    func popup(_ lines: [Line], title: String) -> [Line] {
        let width = lines.first?.columns ?? 0
        let name = Line(" \(title) ", Style(.bold, .heading)).truncated(to: width - 1)
        let more = isPageCutOff ? Line(" \u{25BE} more ", .muted) : Line()
        let above = Line("\u{256D}" + horizontal, .frame) + name + rule(width - 1 - name.columns)
        let below = Line("\u{2570}", .frame) + rule(width - 1 - more.columns) + more + rule(1)
        return [above + Line("\u{256E}", .frame)]
            + lines.map { Line(vertical, .frame) + $0 + Line(vertical, .frame) } + [below + Line("\u{256F}", .frame)]
    }

    /// The rule at the right of a line, which is thick at the lines of the scrollbar.
    private func side(_ row: Int, _ bar: Range<Int>) -> Line {
        bar.contains(row) ? Line("\u{2590}", .muted) : Line(vertical, .frame)
    }

    /// The lines of the screen that stand for the shown part of the list or page; empty if all of it is shown.
    private var scrollbar: Range<Int> {
        let (first, all, height): (Int, Int, Int)
        if let page = basePage {
            let content = content(of: page.kind)
            (first, all, height) = (page.top, content.lines.count, self.height(of: page.kind))
        } else {
            let rows = rows
            guard let top, let position = rows.position(of: top.row) else { return 0..<0 }
            // A daemon can claim any number.
            let limit = 1 << 32
            let counts = rows.snapshot.sections.map { folded.contains($0.id) ? 0 : max(0, min($0.jokeCount, limit)) }
            let isListed = rows.section(of: top.row) == listed
            let number = max(0, min(isListed ? rows.number(of: top.row) ?? 0 : position.item, limit))
            let headers = counts.count > 1 ? counts.count : 0
            first = position.section + counts.prefix(position.section).reduce(0, +) + number
            (all, height) = (headers + counts.reduce(0, +), listHeight)
        }
        guard all > height, height > 2 else { return 0..<0 }
        let length = max(1, height * height / all)
        let start = min(height - length, (height - length) * first / max(1, all - height))
        return start..<start + length
    }

    /// Adds the header above the lines, and in a frame the rules around them. `split` is the column of a vertical rule.
    private func framed(_ inner: [Line], _ layout: Layout, split: Int? = nil, bar: Range<Int> = 0..<0) -> [Line] {
        guard layout.isFramed else { return (layout.hasHeader ? [header(rule: " ")] : []) + inner }
        let width = size.columns - 2
        var above = Line("\u{256D}", .frame)
        var below = Line("\u{2570}", .frame)
        if let split {
            let title = jokeAtCursor.map { Line(" \($0.source) ", .muted).truncated(to: width - split - 2) } ?? Line()
            above =
                above + header(rule: horizontal) + Line("\u{252C}" + horizontal, .frame) + title
                + rule(width - split - 2 - title.columns)
            below = below + rule(split) + Line("\u{2534}", .frame) + rule(width - split - 1)
        } else {
            above = above + header(rule: horizontal)
            below = below + rule(width)
        }
        let sides = inner.enumerated().map { Line(vertical, .frame) + $1 + side($0, bar) }
        return [above + Line("\u{256E}", .frame)] + sides + [below + Line("\u{256F}", .frame)]
    }

    private func rule(_ width: Int) -> Line { Line(repeating: horizontal, count: width, .frame) }
}

/// The character of horizontal rules.
let horizontal = "\u{2500}"
private let vertical = "\u{2502}"
