import Terminal

/// The text that selects the lines of a page, from the opening of its prompt to its end.
package struct PageSearch: Hashable, Sendable {
    package internal(set) var text = ""
    /// True if keys go to the prompt.
    package internal(set) var isTyping = true

    /// Longer texts match nothing.
    static let maxLength = 100
}

extension Model {
    /// True if keys go to a prompt.
    var isTyping: Bool { noteEdit != nil || search?.isTyping == true || page?.search?.isTyping == true }

    /// Handles a key in the prompt of the page.
    mutating func typeInPageSearch(_ key: Key) -> [Effect] {
        guard let search = page?.search else { return [] }
        switch key {
        case .escape: endPageSearch()
        case .enter where search.text.allSatisfy(\.isWhitespace): endPageSearch()
        case .enter: pages[pages.count - 1].search?.isTyping = false
        case .backspace where search.text.isEmpty: endPageSearch()
        default:
            if let text = search.text.edited(by: key) {
                setPageSearch(text)
            } else {
                return performInPageSearch(keys.action(for: key))
            }
        }
        return []
    }

    /// Performs moves of the page; `quit` ends the search.
    private mutating func performInPageSearch(_ action: Action?) -> [Effect] {
        switch action {
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last, .redraw, .suspend:
            return action.map { performOnPage($0) } ?? []
        case .quit: endPageSearch()
        default: break
        }
        return []
    }

    mutating func setPageSearch(_ text: String) {
        pages[pages.count - 1].search?.text = String(text.prefix(PageSearch.maxLength))
        pages[pages.count - 1].top = 0
    }

    mutating func endPageSearch() {
        pages[pages.count - 1].search = nil
        pages[pages.count - 1].top = 0
    }
}
