/// The text that selects the lines of a page, from the opening of its prompt to its end.
struct PageSearch: Hashable, Sendable {
    var field: TextField
    /// True if keys go to the prompt.
    var isTyping = true

    var text: String { field.text }
}

extension Model {
    /// Opens the prompt of the page.
    mutating func openPageSearch() {
        pages[pages.count - 1].search = page?.search ?? PageSearch(field: TextField(older: searchHistory))
        pages[pages.count - 1].search?.isTyping = true
    }

    /// True if a text has each word of the search of a page.
    func isFound(_ text: String, on kind: Page.Kind) -> Bool {
        let search = pages.first { $0.kind == kind }?.search?.text ?? ""
        return search.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy(text.lowercased().contains)
    }

    mutating func setPageSearch(_ field: TextField) {
        pages[pages.count - 1].search?.field = field.cut(to: 100)
        (pages[pages.count - 1].top, pages[pages.count - 1].selected) = (0, 0)
    }

    mutating func endPageSearch() {
        pages[pages.count - 1].search = nil
        pages[pages.count - 1].top = 0
    }
}
