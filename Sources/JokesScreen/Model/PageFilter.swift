import Terminal

/// The text that selects the lines of a page, from the opening of its prompt to its end.
package struct PageFilter: Hashable, Sendable {
    package internal(set) var text = ""
    /// True if keys go to the prompt.
    package internal(set) var isTyping = true

    /// Longer texts match nothing.
    static let maxLength = 100
}

extension Model {
    /// True if keys go to a prompt.
    var isTyping: Bool { noteEdit != nil || search?.isTyping == true || page?.filter?.isTyping == true }

    /// Handles a key in the prompt of the page.
    mutating func typeInFilter(_ key: Key) -> [Effect] {
        guard let filter = page?.filter else { return [] }
        switch key {
        case .escape: endFilter()
        case .enter where filter.text.allSatisfy(\.isWhitespace): endFilter()
        case .enter: pages[pages.count - 1].filter?.isTyping = false
        case .backspace where filter.text.isEmpty: endFilter()
        default:
            if let text = filter.text.edited(by: key) {
                setFilter(text)
            } else {
                return performInFilter(keys.action(for: key))
            }
        }
        return []
    }

    /// Performs moves of the page; `quit` ends the filter.
    private mutating func performInFilter(_ action: Action?) -> [Effect] {
        switch action {
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last, .redraw, .suspend:
            return action.map { performOnPage($0) } ?? []
        case .quit: endFilter()
        default: break
        }
        return []
    }

    mutating func setFilter(_ text: String) {
        pages[pages.count - 1].filter?.text = String(text.prefix(PageFilter.maxLength))
        pages[pages.count - 1].top = 0
    }

    mutating func endFilter() {
        pages[pages.count - 1].filter = nil
        pages[pages.count - 1].top = 0
    }
}
