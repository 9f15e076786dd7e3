import Diffable
import JokesClient
import JokesCore
import Terminal
import TextLayout

/// The screen for the model: one line for each row of the terminal, each with exactly its columns. Pure. O(screen)
func view(_ model: Model) -> Frame {
    var lines = model.basePage.map(model.lines(of:)) ?? model.listAndDetails
    var start = model.layout.origin
    if let page = model.page, model.isPopup(page.kind) {
        if !model.isListShown { start = model.origin(of: page.kind) }
        model.draw(page, over: &lines)
    }
    start.row = lines.firstIndex { $0.spans.contains { $0.style.attributes.contains(.selected) } } ?? start.row
    guard model.size.rows > 1 else { return Frame(lines: lines, cursor: start) }
    guard let prompt = model.prompt else { return Frame(lines: lines + model.footerLines, cursor: start) }
    let end = Position(column: prompt.cursor, row: model.size.rows - 1)
    return Frame(lines: lines + [prompt.line], cursor: end, showsCursor: true)
}

/// The lines that fit, and blank ones below them.
private func filled(_ lines: some Sequence<Line>, _ size: Size) -> [Line] {
    let shown = lines.prefix(size.rows).map { $0.fitted(to: size.columns) }
    return shown + Array(repeating: Line().padded(to: size.columns), count: size.rows - shown.count)
}

extension Model {
    fileprivate var listAndDetails: [Line] { withPanes(filled(body, layout.list)) }

    fileprivate func lines(of page: Page) -> [Line] { framedPage(pageLines(page)) }

    /// The shown lines of a page, with the cursor if no popup is over it.
    private func pageLines(_ page: Page) -> [Line] {
        let content = content(of: page.kind)
        let size = Size(columns: columns(of: page.kind), rows: height(of: page.kind))
        let isSelected = page.kind == self.page?.kind && content.rows.indices.contains(page.selected)
        let selected = isSelected ? content.rows[page.selected] : 0..<0
        let lines = content.lines.enumerated().map { number, line in
            let shown = (Line(" ") + line).fitted(to: size.columns)
            return selected.contains(number) ? shown.highlighted : shown
        }
        return filled(lines.dropFirst(page.top), size)
    }

    /// Draws a popup with its frame.
    fileprivate func draw(_ page: Page, over lines: inout [Line]) {
        let origin = origin(of: page.kind)
        for (row, line) in popup(pageLines(page), title: page.kind.title(self)).enumerated() {
            lines[origin.row - 1 + row] = lines[origin.row - 1 + row].overlaid(by: line, at: origin.column - 1)
        }
    }

    /// The shown lines of the list, and the text for an empty list.
    private var body: [Line] {
        guard snapshot != nil else { return waitingLines }
        let lines = shownRows.flatMap { row in
            row.id == cursor && isListShown ? row.lines.map { $0.fitted(to: listWidth).highlighted } : row.lines
        }
        return Array((lines + emptyLines).dropFirst(top?.line ?? 0))
    }
}

extension Model {
    /// The lines of a row; at least one.
    func lines(of row: RowID) -> [Line] {
        switch row {
        case .header(let section):
            guard let section = snapshot?.section(for: section) else { return [Line()] }
            return [headerLine(of: section)]
        case .item(.loading):
            let count = report.sources?.count { $0.syncing } ?? 0
            return [Line("  Loading\(count == 0 ? "" : " from \(counted(count, "source"))")\u{2026}", .muted)]
        case .item(let id):
            guard let item = snapshot?.item(for: id) else { return [Line()] }
            return layouts.lines(
                of: ItemRow(
                    item: item, isFavorite: id.joke.map { isFavorite($0) } ?? false,
                    isRevealed: revealed.contains(id), width: listWidth - 1, maxLines: wrapsRows ? layout.list.rows : 1)
            )
        }
    }

    /// The header of a section: its fold sign, its name and count, and a rule between them if there is room. The count of
    /// the section of the cursor is in the first line of the screen, if there is one.
    private func headerLine(of section: Section) -> Line {
        let name =
            switch section {
            case .favoriteJokes: "Favorites"
            case .jokes: "Jokes"
            case .searchResults(let query, _, _, _): "Search: \(query)"
            case .unknown: ""
            }
        let isCounted = layout.hasHeader && cursor.flatMap { rows.section(of: $0) } == section.id
        let count = isCounted ? " " : " \(section.countWords) "
        let sign = folded.contains(section.id) ? "\u{25B8} " : "\u{25BE} "
        let start = Line(sign + name, Style(.bold, .heading)).truncated(to: max(1, listWidth - count.columns))
        let gap = listWidth - start.columns - count.columns - 1
        let rule = gap > 0 ? Line(" ") + Line(repeating: horizontal, count: gap, .frame) : Line()
        return (start + rule + Line(count, .muted)).fitted(to: listWidth)
    }

    // MARK: Texts in place of rows

    /// The text before the first snapshot.
    private var waitingLines: [Line] { linkText.map { paragraph($0, $1) } ?? [] }

    /// The text in place of what the daemon has not sent, the same on the list and the pages; nil if it is connected.
    var linkText: (String, Style)? {
        switch link {
        case .live: nil
        case .connecting: ("Connecting to the daemon\u{2026}", .muted)
        case .unreachable(let reason, let hint, _):
            (["Daemon unreachable.", reason, hint].compactMap(\.self).joined(separator: "\n\n"), .bad)
        }
    }

    /// The start of a page: why it has no content yet, or why the last request failed.
    func pageStart(_ request: PageRequest, hasContent: Bool, _ loading: String, to width: Int) -> PageContent {
        let problem = link == .live ? request.refusal.map { ($0, Style.bad) } : hasContent ? nil : linkText
        let shown = problem ?? (hasContent ? nil : (loading, .muted))
        return PageContent(lines: shown.map { wrapped($0, $1, to: width) + [Line()] } ?? [])
    }

    /// The text below an empty last section, if it fits the screen with its header. O(screen)
    var emptyLines: [Line] {
        guard link == .live, let snapshot, let section = snapshot.sections.last, !folded.contains(section.id),
            snapshot.numberOfItems(inSection: section.id) == 0
        else { return [] }
        let text = emptyWords(of: section).map { paragraph($0) } ?? []
        let room = max(0, listHeight - 1)
        return Array(((text.count < room ? [Line()] : []) + text).prefix(room))
    }

    /// The text for an empty section; nil while it is loading.
    func emptyWords(of section: Section) -> String? {
        let (refresh, why) = (keys.name(of: .refresh), "\(keys.name(of: .sources)) shows why")
        let filter = filterNames.joined(separator: " \u{B7} ")
        let clear = keys.name(of: .clearFilters)
        let counts = (report.sources ?? []).reduce(JokeCounts()) { $0 + $1.jokes }
        switch section {
        case .jokes where !filter.isEmpty && selection == shownView?.selection:
            let change = "\(clear) clears the filter, and \(keys.name(of: .filters)) changes it."
            return "No jokes match the filter: \(filter). \(change)"
        case .searchResults where !filter.isEmpty && !isAwaitingSnapshot:
            return "No jokes found with the filter: \(filter). \(clear) clears the filter, and Esc ends the search."
        case .jokes(let header) where header.isSyncing: return "Syncing the sources\u{2026}"
        case .jokes where counts.cached > 0:
            let unrated = report.sources?.compactMap { source in source.unrated.map { "\(source.name): \($0)" } } ?? []
            let other = counts.filteredOut > counts.unrated ? ["Check \"filter\" in jokesd's configuration."] : []
            let hidden = counts.hidden > 0 ? ["\(keys.name(of: .hidden)) lists the hidden jokes."] : []
            let reasons = ["\(counts.inWords)."] + unrated + other + hidden
            return reasons.joined(separator: "\n")
        case .jokes(let header) where header.isOffline:
            return "No jokes to show, and no source is reachable. Press \(refresh) to retry; \(why)."
        case .jokes(let header):
            let none = report.sources == nil ? "No jokes to show." : "No jokes are cached yet."
            let failing = header.failing.isEmpty ? "" : " Sources fail; \(why)."
            return "\(none) Press \(refresh) to refresh.\(failing)"
        case .searchResults where !isAwaitingSnapshot: return "No jokes found. Esc shows all jokes."
        case .searchResults, .favoriteJokes, .unknown: return nil
        }
    }

    private func paragraph(_ text: String, _ style: Style = .plain) -> [Line] {
        wrapped(text, style, to: max(1, listWidth - 2)).map { Line("  ") + $0 }
    }
}
