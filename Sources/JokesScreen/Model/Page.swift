import Terminal
import TextLayout

/// What is shown in place of the list, until it is closed.
package struct Page: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// What the keys do.
        case help
        /// How the sources do.
        case sources
        /// The details of the row under the cursor, where the screen has no room for them with the list.
        case details
    }

    package let kind: Kind
    /// The first line of it that is on the screen.
    package internal(set) var top = 0

    init(_ kind: Kind) {
        self.kind = kind
    }
}

extension Model {
    /// The part of the screen that a page has: that of the list where there is nothing else.
    var pageSize: Size {
        Layout(size, wantsDetails: false).list
    }

    private var pageHeight: Int {
        pageSize.rows
    }

    /// A page, all of it.
    func lines(of kind: Page.Kind) -> [Line] {
        switch kind {
        case .help: helpLines
        case .sources: sourcesLines
        case .details: detailLines(width: max(1, size.columns - 2)).map { Line(" ") + $0 }
        }
    }

    /// While a page is shown, keys move it, and some act on what it shows; others close it.
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

    /// Whether the page goes on below the screen.
    var isPageCutOff: Bool {
        page.map { $0.top + pageHeight < lines(of: $0.kind).count } ?? false
    }

    /// Scrolls, but not past its ends.
    mutating func scrollPage(by lines: Int) {
        guard var page else { return }
        page.top = max(0, min(page.top + lines, self.lines(of: page.kind).count - pageHeight))
        self.page = page
    }
}
