import JokesCore
import Terminal
import TextLayout

/// A page over the list, or in place of it.
struct Page: Hashable, Sendable {
    let kind: Kind
    /// The first shown line.
    var top = 0
    /// The index of the selected row, on a page with rows.
    var selected = 0
    var search: PageSearch?

    init(_ kind: Kind) { self.kind = kind }

    /// The content and the keys of a page. To add a page, add a file with such a value and an action that opens it.
    struct Kind: Hashable, Sendable {
        /// No other page has it.
        let name: String
        /// The name of the source, on the page of one.
        var source: String?
        let title: @Sendable (Model) -> String
        let content: @Sendable (Model, _ columns: Int) -> PageContent
        var hints: @Sendable (Model) -> [KeyHint] = { _ in [] }
        /// The columns of a popup over the list; nil for a page in place of the list.
        var popupWidth: Int?
        /// The number of things that the search of the page finds; nil for a page without a search.
        var matches: (@Sendable (Model) -> Int)?
        /// Performs an action with a meaning of its own on the page; nil for other actions.
        var perform: @Sendable (inout Model, Action) -> [Effect]? = { _, _ in nil }
        /// Requests what the page shows, when it is opened and after each snapshot.
        var refresh: @Sendable (inout Model) -> [Effect] = { _ in [] }
        /// The joke that keys such as `f` are for.
        var item: @Sendable (Model) -> Item? = { _ in nil }

        static func == (a: Kind, b: Kind) -> Bool { a.name == b.name }

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

/// The lines of a page.
struct PageContent: Equatable {
    var lines: [Line]
    /// The ranges of lines that can be selected, in order; empty for a page that only scrolls.
    var rows: [Range<Int>] = []

    /// Adds the lines of a row.
    mutating func add(row: [Line]) {
        rows.append(lines.count..<lines.count + row.count)
        lines += row
    }
}

extension Model {
    /// The page on the screen: the last opened one.
    var page: Page? { pages.last }

    /// True if keys move in the list, perhaps with the details over it.
    var isListShown: Bool { page == nil || page?.kind == .details }

    func isOpen(_ kind: Page.Kind) -> Bool { pages.contains { $0.kind == kind } }

    /// Requests what the open pages show.
    mutating func refreshPages() -> [Effect] { pages.flatMap { $0.kind.refresh(&self) } }

    /// The page in place of the list, which is below the popups.
    var basePage: Page? { pages.last { !isPopup($0.kind) } }

    /// The cells within the frame of the screen.
    private var interior: (origin: Position, size: Size) {
        let layout = Layout(size, wantsDetails: false, footer: footerHeight)
        return (layout.origin, layout.list)
    }

    /// False on a small screen, where each page is in place of the list.
    func isPopup(_ kind: Page.Kind) -> Bool { kind.popupWidth != nil && layout.isFramed }

    func columns(of kind: Page.Kind) -> Int {
        let columns = interior.size.columns
        guard isPopup(kind), let width = kind.popupWidth else { return columns }
        return min(width, columns - 4)
    }

    /// The lines of a page on the screen. A popup is as high as its content, if that fits.
    func height(of kind: Page.Kind) -> Int {
        let rows = interior.size.rows
        return isPopup(kind) ? min(max(1, content(of: kind).lines.count), rows - 2) : rows
    }

    private var pageHeight: Int { page.map { height(of: $0.kind) } ?? 0 }

    /// The first cell of a page. Popups are at the right, because the rows of the list begin at the left.
    func origin(of kind: Page.Kind) -> Position {
        let (origin, size) = interior
        guard isPopup(kind) else { return origin }
        return Position(column: origin.column + size.columns - columns(of: kind) - 2, row: origin.row + 1)
    }

    /// The content, without the blank column at each side.
    func content(of kind: Page.Kind) -> PageContent { kind.content(self, max(1, columns(of: kind) - 2)) }

    // MARK: Opening and closing

    /// Shows a page, above the current one. Closes the page if it is on the screen already.
    mutating func open(_ kind: Page.Kind) -> [Effect] {
        if page?.kind == kind {
            closePage()
            return []
        }
        pages.removeAll { $0.kind == kind }
        pages.append(Page(kind))
        return kind.refresh(&self)
    }

    mutating func closePage() { _ = pages.popLast() }

    // MARK: Keys

    /// Performs an action on the page, or else as on the list. Actions that need the list close all pages first.
    mutating func performOnPage(_ action: Action) -> [Effect] {
        guard let page else { return [] }
        if let effects = page.kind.perform(&self, action) { return effects }
        switch action {
        case .down: moveOnPage(by: 1)
        case .up: moveOnPage(by: -1)
        case .halfPageDown: scrollPage(by: pageHeight / 2)
        case .halfPageUp: scrollPage(by: -pageHeight / 2)
        case .pageDown: scrollPage(by: pageHeight - 1)
        case .pageUp: scrollPage(by: 1 - pageHeight)
        case .first: moveOnPage(by: .min / 2)
        case .last: moveOnPage(by: .max / 2)
        case .detailsDown, .scrollDown: scrollPage(by: 1)
        case .detailsUp, .scrollUp: scrollPage(by: -1)
        case .quit, .close: closePage()
        case .search where page.kind.matches != nil: openPageSearch()
        case .help, .sources, .toggleSource, .testSource, .random, .filters, .clearFilters, .hidden, .refresh,
            .refreshSource, .undo, .redo, .wrap, .redraw, .suspend:
            return perform(action)
        case .star, .note, .seen, .hide, .copy, .openURL, .reveal, .open:
            if shownItem?.id.joke != nil { return perform(action) }
            notice = Notice(text: "No joke on this page; \(keys.name(of: .quit)) goes back")
        case .fold, .foldAll: notice = Notice(text: "No sections on this page; \(keys.name(of: .quit)) goes back")
        case .details where page.kind == .details: closePage()
        case .search, .nextFound, .previousFound, .nextUnseen, .previousUnseen, .nextSection, .previousSection,
            .allSeen, .details:
            pages = []
            return perform(action)
        }
        return []
    }

    // MARK: Scrolling

    /// True if the page continues below the screen.
    var isPageCutOff: Bool { page.map { $0.top + pageHeight < content(of: $0.kind).lines.count } ?? false }

    /// Selects a row of a page, if it is open. The row is on the screen if the page is.
    mutating func select(_ row: Int?, on kind: Page.Kind) {
        guard let row, let index = pages.firstIndex(where: { $0.kind == kind }) else { return }
        pages[index].selected = row
        if page?.kind == kind { moveOnPage(by: 0) }
    }

    /// Selects another row of the page, and scrolls to it. Scrolls a page without rows.
    private mutating func moveOnPage(by steps: Int) {
        guard var page else { return }
        let rows = content(of: page.kind).rows
        guard !rows.isEmpty else { return scrollPage(by: steps) }
        page.selected = max(0, min(page.selected + steps, rows.count - 1))
        // The first row is shown with the lines above it.
        let lines = page.selected == 0 ? 0..<rows[0].upperBound : rows[page.selected]
        page.top = max(min(page.top, lines.lowerBound), lines.upperBound - pageHeight)
        pages[pages.count - 1] = page
    }

    /// The row of the page at a line of the screen; nil if there is none.
    func pageRow(atScreenLine line: Int) -> Int? {
        page.flatMap { page in content(of: page.kind).rows.firstIndex { $0.contains(page.top + line) } }
    }

    /// Scrolls the page within its ends.
    mutating func scrollPage(by lines: Int) {
        guard var page else { return }
        let content = content(of: page.kind)
        page.top = max(0, min(page.top + lines, content.lines.count - pageHeight))
        page.selected = max(0, min(page.selected, content.rows.count - 1))
        pages[pages.count - 1] = page
    }
}
