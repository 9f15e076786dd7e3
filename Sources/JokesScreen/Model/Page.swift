import Terminal
import TextLayout

/// A page that covers the list.
package struct Page: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case help
        case sources
        /// The details, if the screen has no room for them with the list.
        case details
    }

    package let kind: Kind
    /// The first shown line.
    package internal(set) var top = 0

    init(_ kind: Kind) {
        self.kind = kind
    }
}

extension Model {
    /// The size of a page: that of the list without details.
    var pageSize: Size {
        Layout(size, wantsDetails: false).list
    }

    private var pageHeight: Int {
        pageSize.rows
    }

    /// All lines of a page.
    func lines(of kind: Page.Kind) -> [Line] {
        switch kind {
        case .help: helpLines
        case .sources: sourcesLines
        case .details: detailLines(width: max(1, size.columns - 2)).map { Line(" ") + $0 }
        }
    }

    /// Performs an action on the page. Actions without a meaning there close the page.
    mutating func performOnPage(_ action: Action) -> [Effect] {
        switch action {
        case .down, .detailsDown: scrollPage(by: 1)
        case .up, .detailsUp: scrollPage(by: -1)
        case .halfPageDown: scrollPage(by: pageHeight / 2)
        case .halfPageUp: scrollPage(by: -pageHeight / 2)
        case .pageDown: scrollPage(by: pageHeight - 1)
        case .pageUp: scrollPage(by: 1 - pageHeight)
        case .first: scrollPage(by: .min / 2)
        case .last: scrollPage(by: .max / 2)
        case .redraw, .suspend: return perform(action)
        case .refresh where page?.kind == .sources: return perform(action)
        case .reveal where page?.kind == .details, .star where page?.kind == .details: return perform(action)
        case .copy where page?.kind == .details, .openURL where page?.kind == .details: return perform(action)
        default: page = nil
        }
        return []
    }

    /// True if the page continues below the screen.
    var isPageCutOff: Bool {
        page.map { $0.top + pageHeight < lines(of: $0.kind).count } ?? false
    }

    /// Scrolls the page within its ends.
    mutating func scrollPage(by lines: Int) {
        guard var page else { return }
        page.top = max(0, min(page.top + lines, self.lines(of: page.kind).count - pageHeight))
        self.page = page
    }
}
