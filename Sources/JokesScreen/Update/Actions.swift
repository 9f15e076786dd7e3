import Diffable
import JokesCore
import Terminal
import TextLayout

extension Model {
    mutating func perform(_ action: Action) -> [Effect] {
        switch action {
        case .down: moveRow(isForward: true)
        case .up: moveRow(isForward: false)
        case .halfPageDown: movePage(by: max(1, listHeight / 2))
        case .halfPageUp: movePage(by: -max(1, listHeight / 2))
        case .pageDown: movePage(by: max(1, listHeight - 1))
        case .pageUp: movePage(by: -max(1, listHeight - 1))
        case .scrollDown: scrollList(by: 1)
        case .scrollUp: scrollList(by: -1)
        case .first:
            // Without a header, the first row is the first loaded joke.
            if let first = rows.first, rows.hasMore(above: first) { return go(to: 1) }
            go(to: rows.first)
        case .last: return go(to: .max)
        case .nextSection: goToSection(isForward: true)
        case .previousSection: goToSection(isForward: false)
        case .reveal: toggleReveal()
        case .open: open()
        case .close: close()
        case .fold: toggleFold()
        case .foldAll: toggleAllFolds()
        case .star: return toggleFavorite()
        case .note: openNote()
        case .hide: return hide()
        case .seen: return toggleSeen()
        case .allSeen: return markAllSeen()
        case .undo: return undo()
        case .redo: return redo()
        case .refresh: return refresh()
        case .refreshSource: return refreshSource()
        case .search: openPrompt()
        case .nextFound: return find(isForUnseen: search == nil, isForward: true)
        case .previousFound: return search == nil ? markAllSeen() : find(isForUnseen: false, isForward: false)
        case .nextUnseen: return find(isForUnseen: true, isForward: true)
        case .previousUnseen: return find(isForUnseen: true, isForward: false)
        case .details: return toggleDetails()
        case .detailsDown: scrollDetails(by: 1)
        case .detailsUp: scrollDetails(by: -1)
        case .wrap: toggleWrapping()
        case .sources: return open(.sources)
        case .toggleSource, .testSource:
            notice = Notice(text: "Select a source first; \(keys.name(of: .sources)) lists them")
        case .random: return open(.random) + (page?.kind == .random ? newRandomJoke() : [])
        case .filters: return open(.filters)
        case .clearFilters: return clearFilters()
        case .hidden: return open(.hidden)
        case .help: return open(.help)
        case .copy: return copyJoke()
        case .openURL: return openURL()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
        return []
    }

    private mutating func refreshSource() -> [Effect] {
        guard link == .live else { return refresh() }
        guard let joke = shownItem?.id.joke else {
            notice = Notice(text: "No joke selected; \(keys.name(of: .refresh)) refreshes all sources")
            return []
        }
        return [.send(.refresh(sources: [String(joke.source)]))]
    }

    private mutating func refresh() -> [Effect] {
        switch link {
        case .live: return [.send(.refresh())]
        case .unreachable: return [.send(.reconnect)]
        case .connecting:
            notice = Notice(text: "Already connecting; the viewer retries until the daemon answers")
            return []
        }
    }

    // MARK: Moving

    mutating func go(to row: RowID?) {
        cursor = row ?? cursor
        showCursor()
    }

    /// Moves to the next or previous row, or scrolls through a row that is longer than the screen.
    private mutating func moveRow(isForward: Bool) {
        guard let cursor else { return }
        let isCut = screenLine(of: cursor).map { isForward ? $0 + height(of: cursor) > listHeight : $0 < 0 }
        if isCut == true { return scroll(by: isForward ? 1 : -1) }
        go(to: isForward ? rows.row(after: cursor) : rows.row(before: cursor))
    }

    mutating func scroll(by lines: Int) {
        guard let top else { return }
        self.top = anchor(top, movedBy: lines)
        fill()
    }

    /// Scrolls, and moves the cursor to the row at its line of the screen, or to the end of the list.
    mutating func movePage(by lines: Int) {
        guard let cursor, let before = top else { return }
        let line = max(0, screenLine(of: cursor) ?? 0)
        scroll(by: lines)
        if top != before { go(to: row(atScreenLine: line)) }
        // The list is at its end, but the first row of the screen may be cut off.
        if top == before && self.cursor == cursor { go(to: lines < 0 ? before.row : rows.last) }
    }

    /// Scrolls the list. The cursor stays on its row while that is on the screen.
    mutating func scrollList(by lines: Int) {
        guard let cursor else { return }
        scroll(by: lines)
        self.cursor = nearestOnScreen(to: cursor)
    }

    // MARK: Opening and closing

    private mutating func toggleReveal() {
        switch cursor {
        case .item(let item) where revealed.contains(item): revealed.remove(item)
        case .item(let item) where item.joke != nil: reveal(item)
        case .header: toggleFold()
        default: break
        }
        showCursor()
    }

    /// Shows the punchline, or the rest of a long joke without one.
    private mutating func reveal(_ item: Item.ID) {
        let lines = lines(of: .item(item))
        revealed.insert(item)
        if itemAtCursor?.content?.text.punchline == nil, self.lines(of: .item(item)) == lines {
            revealed.remove(item)
            notice = Notice(text: "This joke has no punchline")
        }
    }

    private mutating func open() {
        switch cursor {
        case .item(let item) where item.joke != nil: reveal(item)
        case .header(let section): unfold(section)
        default: break
        }
        showCursor()
    }

    private mutating func close() {
        switch cursor {
        case .item(let item):
            guard revealed.remove(item) == nil, let section = rows.section(of: .item(item)) else { break }
            if rows.hasHeader(section) { go(to: .header(section)) }
        case .header(let section): folded.insert(section)
        case nil: break
        }
        showCursor()
    }

    /// Shows the items of a section. The cursor moves from its header to the first item if the header goes.
    mutating func unfold(_ section: Section.ID) {
        folded.remove(section)
        guard let cursor, !rows.contains(cursor) else { return }
        go(to: rows.firstRow(of: section))
    }

    private mutating func toggleFold() {
        guard let section = cursor.flatMap({ rows.section(of: $0) }) else { return }
        if folded.remove(section) == nil { folded.insert(section) }
        cursor = rows.firstRow(of: section)
        showCursor()
    }

    private mutating func toggleAllFolds() {
        guard let cursor, let section = rows.section(of: cursor) else { return }
        let sections = Set(rows.snapshot.sectionIdentifiers)
        folded = folded.isSuperset(of: sections) ? [] : sections
        if !rows.contains(cursor) || !folded.isEmpty { self.cursor = rows.firstRow(of: section) }
        showCursor()
    }

    /// Closes the search of the page, the page or the search of the list.
    mutating func leave() -> [Effect] {
        guard let page else { return leaveSearch() }
        if page.search == nil { closePage() } else { endPageSearch() }
        return []
    }

    // MARK: Copying and opening

    private mutating func copyJoke() -> [Effect] {
        guard let text = shownItem?.content?.text else { return [] }
        return [.copy(sanitizedLines(text.whole))]
    }

    private mutating func openURL() -> [Effect] {
        guard let content = shownItem?.content else { return [] }
        guard let url = content.details.url else {
            notice = Notice(text: "This joke has no URL; \(keys.name(of: .copy)) copies its text")
            return []
        }
        // xdg-open may run any program for other schemes.
        guard isWebAddress(url), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            notice = Notice(text: "Not a valid http or https URL: \(url)", role: .warning)
            return []
        }
        notice = Notice(text: "Opening \(url)")
        return [.open(url)]
    }
}

extension ClipboardRefusal {
    var words: String {
        switch self {
        case .console: "The console has no clipboard; jokesctl show ID prints the joke"
        case .screen: "GNU screen cannot copy; hold shift and select with the mouse"
        case .screenOrTmux: "Cannot copy with TERM=screen; in tmux, use TERM=tmux-256color"
        case .otherKind: "This terminal has no clipboard; jokesctl show ID prints the joke"
        }
    }
}
