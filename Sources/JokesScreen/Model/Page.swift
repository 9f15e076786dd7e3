import JokesCore
import Terminal
import TextLayout

/// A page in place of the list.
package struct Page: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case help
        case sources
        /// All facts of the source with this name.
        case source(String)
        /// The details, if the screen has no room for them with the list.
        case details
        /// One random joke after another.
        case random
        case filters
        case hidden
    }

    package let kind: Kind
    /// The first shown line.
    package internal(set) var top = 0
    /// The index of the selected row, on a page with rows.
    package internal(set) var selected = 0
    package internal(set) var search: PageSearch?

    init(_ kind: Kind) { self.kind = kind }
}

/// The lines of a page.
struct PageContent: Equatable {
    var lines: [Line]
    /// The ranges of lines that can be selected, in order; empty for a page that only scrolls.
    var rows: [Range<Int>] = []
}

extension Model {
    /// The page on the screen: the last opened one.
    package var page: Page? { pages.last }

    /// The size of a page: that of the list without details.
    var pageSize: Size { Layout(size, wantsDetails: false, footer: footerHeight).list }

    private var pageHeight: Int { pageSize.rows }

    func content(of kind: Page.Kind) -> PageContent {
        switch kind {
        case .help: PageContent(lines: helpLines())
        case .sources: sourcesContent
        case .source(let name): PageContent(lines: sourceLines(name))
        case .details: PageContent(lines: detailLines(in: pageSize.inset))
        case .random: PageContent(lines: randomLines)
        case .filters: filtersContent
        case .hidden: hiddenContent
        }
    }

    /// The title of a page in the header.
    func title(of kind: Page.Kind) -> String {
        switch kind {
        case .help: "Help"
        case .sources: "Sources"
        case .source(let name): "Source \(name)"
        case .details: "Details"
        case .random: "Random"
        case .filters: "Filters"
        case .hidden: hiddenTitle
        }
    }

    // MARK: Opening and closing

    /// Shows a page, above the current one. Closes the page if it is on the screen already.
    mutating func open(_ kind: Page.Kind) {
        if page?.kind == kind { return closePage() }
        pages.removeAll { $0.kind == kind }
        pages.append(Page(kind))
    }

    mutating func closePage() { _ = pages.popLast() }

    // MARK: Keys

    /// Performs an action on the page, or else as on the list. Actions that need the list close all pages first.
    mutating func performOnPage(_ action: Action) -> [Effect] {
        guard let page else { return [] }
        if let effects = performOnly(action, on: page.kind) { return effects }
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
        case .search where [.help, .sources, .filters].contains(page.kind): openPageSearch()
        case .help, .sources, .toggleSource, .testSource, .random, .filters, .clearFilters, .hidden, .refresh,
            .refreshSource, .undo, .redo, .wrap, .redraw, .suspend:
            return perform(action)
        case .star, .note, .seen, .hide, .copy, .openURL, .reveal, .open:
            if shownItem?.id.joke != nil { return perform(action) }
            notice = Notice(text: "No joke on this page; \(keys.name(of: .quit)) goes back")
        case .fold, .foldAll: notice = Notice(text: "No sections on this page; \(keys.name(of: .quit)) goes back")
        case .details where page.kind == .details: closePage()
        case .search, .nextFound, .previousFound, .nextUnseen, .previousUnseen, .nextSection, .previousSection,
            .allSeen,
            .details:
            pages = []
            return perform(action)
        }
        return []
    }

    /// Performs an action with a meaning of its own on the page; nil for other actions.
    private mutating func performOnly(_ action: Action, on page: Page.Kind) -> [Effect]? {
        switch page {
        case .random: performOnRandomPage(action)
        case .filters: performOnFiltersPage(action)
        case .hidden: performOnHiddenPage(action)
        case .sources, .source: performOnSourcesPage(action)
        case .help, .details: nil
        }
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

    /// Selects the row of the page at a line of the screen; returns its index, or nil if there is none.
    mutating func selectOnPage(atScreenLine line: Int) -> Int? {
        guard let page, (0..<pageHeight).contains(line) else { return nil }
        let row = content(of: page.kind).rows.firstIndex { $0.contains(page.top + line) }
        if let row { pages[pages.count - 1].selected = row }
        return row
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

extension Size {
    /// The size without a column at each side.
    var inset: Size { Size(columns: max(1, columns - 2), rows: rows) }
}
