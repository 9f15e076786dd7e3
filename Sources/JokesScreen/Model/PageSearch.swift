/// The text that selects the lines of a page, from the opening of its prompt to its end.
package struct PageSearch: Hashable, Sendable {
    var field: TextField
    /// True if keys go to the prompt.
    package internal(set) var isTyping = true

    package var text: String { field.text }

    /// Longer texts match nothing.
    static let maxLength = 100
}

extension Model {
    mutating func setPageSearch(_ field: TextField) {
        pages[pages.count - 1].search?.field = field.cut(to: PageSearch.maxLength)
        pages[pages.count - 1].top = 0
    }

    mutating func endPageSearch() {
        pages[pages.count - 1].search = nil
        pages[pages.count - 1].top = 0
    }
}
