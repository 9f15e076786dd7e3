import JokesCore
import Terminal

extension Model {
    /// Handles a key. A key that changes nothing gets a notice.
    mutating func press(_ key: Key) -> [Effect] {
        // Escape also removes a notice.
        let hasRemovedNotice = key == .escape && notice != nil
        notice = nil
        if case .jumping(let place, let steps) = loading {
            loading = isAtOnce(key) ? .loading : .jumping(to: place, steps + [.key(key)])
            if isJumping { return [] }
        }
        let before = self
        let effects = handle(key)
        var waiting = before
        if effects.isEmpty, let place = before.missingPlace(for: key, leadingTo: self),
            let request = waiting.jump(to: place, then: .key(key))
        {
            self = waiting
            return request
        }
        if effects.isEmpty, self == before, !hasRemovedNotice { notice = Notice(text: reason(forNoEffectOf: key)) }
        return effects
    }

    /// True for a key that does not wait for jokes, and ends the waiting of others.
    private func isAtOnce(_ key: Key) -> Bool {
        let action = isTyping ? nil : keys.action(for: key)
        return key == .escape || action == .quit || action == .suspend
    }

    private mutating func handle(_ key: Key) -> [Effect] {
        if noteEdit != nil { return typeInNote(key) }
        if page?.search?.isTyping == true { return typeInPageSearch(key) }
        if search?.isTyping == true { return typeInPrompt(key) }
        // Escape always leads back, even if it is bound to an action.
        if key == .escape, page != nil || search != nil { return leave() }
        guard let action = keys.action(for: key) else { return [] }
        if action == .section {
            pages = []
            goToSection(keys.section(of: key))
        }
        return page == nil ? perform(action) : performOnPage(action)
    }

    private func reason(forNoEffectOf key: Key) -> String {
        let shown = page == nil ? "list" : "page"
        if search?.isCut == true { return "query too long" }
        if noteEdit?.isCut == true { return "note too long" }
        if noteEdit != nil && key == .enter { return "not saved: not connected" }
        if isTyping { return "\(key.name) has no effect here" }
        switch keys.action(for: key) {
        case nil where key == .escape: return "Nothing to close; \(keys.name(of: .quit)) quits"
        case nil: return "\(key.name) has no action; \(keys.name(of: .help)) lists the keys"
        case _ where page?.kind == .random && random.isRequested: return "The next joke is still loading"
        case _ where page == nil && cursor == nil: return "The list is empty"
        case .detailsDown where page == nil, .detailsUp where page == nil:
            if layout.details == nil { return "No details shown; \(keys.name(of: .details)) shows them" }
            return keys.action(for: key) == .detailsDown ? "End of the details" : "Start of the details"
        case .down, .halfPageDown, .pageDown, .last, .detailsDown:
            let more = page == nil && link != .live ? rows.numberOfMore(in: listed) : 0
            return more > 0 ? "\(more) more are not loaded: not connected" : "End of the \(shown)"
        case .up, .halfPageUp, .pageUp, .first, .detailsUp: return "Start of the \(shown)"
        case .star, .note, .hide, .copy, .openURL: return "No joke selected"
        case .reveal, .open: return page == nil && jokeAtCursor == nil ? "No joke selected" : "Nothing more to show"
        default: return "\(key.name) has no effect here; \(keys.name(of: .help)) lists the keys"
        }
    }
}
