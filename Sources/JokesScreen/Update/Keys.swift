import JokesCore
import Terminal

/// The keys and digits of an action that is not complete yet.
struct PendingKeys: Hashable, Sendable {
    /// The number before the keys; nil for none.
    var count: Int?
    /// The first of two keys.
    var first: Key?

    /// More than the jokes of any cache.
    static let maxCount = 9_999_999
    static let maxRepetitions = 9_999
}

extension Model {
    /// Handles a key. A key that changes nothing gets a notice.
    mutating func press(_ key: Key) -> [Effect] {
        // Escape also removes a notice.
        let hasRemovedNotice = key == .escape && notice != nil
        notice = nil
        if let steps = waiting?.steps {
            guard isAtOnce(key) else {
                waiting?.steps.append(.key(key))
                return []
            }
            dropSteps()
            if key == .escape, !steps.isEmpty { return [] }
        }
        let before = self
        let effects = handle(key)
        confirmsAllSeen = confirmsAllSeen && !before.confirmsAllSeen
        if effects.isEmpty, self == before, !hasRemovedNotice { notice = Notice(text: reason(forNoEffectOf: key)) }
        return effects
    }

    /// True for a key that does not wait, and drops those that do. If there are any, Escape does nothing else.
    private func isAtOnce(_ key: Key) -> Bool {
        let isText = isTyping || waiting?.steps.contains { opensPrompt($0) } == true
        let action = isText ? nil : keys.action(for: key)
        return key == .escape || action == .quit || action == .suspend
    }

    private func opensPrompt(_ step: Waiting.Step) -> Bool {
        guard case .key(let key) = step, let action = keys.action(for: key) else { return false }
        return action == .search || action == .note
    }

    /// Drops the steps that wait. The result of a change still comes.
    mutating func dropSteps() {
        if isJumping { waiting = nil } else { waiting?.steps = [] }
    }

    private mutating func handle(_ key: Key) -> [Effect] {
        if let field { return type(key, in: field) }
        if key == .escape, pendingKeys != PendingKeys() {
            pendingKeys = PendingKeys()
            return []
        }
        // Escape always leads back, even if it is bound to an action.
        if key == .escape, page != nil || search != nil { return leave() }
        let typed = (pendingKeys.first.map { [$0] } ?? []) + [key]
        let action = keys.action(for: typed)
        let count = pendingKeys.count
        if action == nil, typed.count == 1, keys.begins(with: key) || digit(of: key) != nil {
            if let digit = digit(of: key) {
                pendingKeys.count = min((count ?? 0) * 10 + digit, PendingKeys.maxCount)
            } else {
                pendingKeys.first = key
            }
            notice = Notice(text: "\(pendingKeys.count.map(String.init) ?? "")\(pendingKeys.first?.name ?? "")")
            return []
        }
        pendingKeys = PendingKeys()
        guard let action else {
            let help = keys.name(of: .help)
            if typed.count > 1 { notice = Notice(text: "\(typed.name) has no action; \(help) lists the keys") }
            return []
        }
        return act(action, count: count)
    }

    /// The digit of a count; nil for other keys. A zero does not begin a count, and a digit may begin two keys.
    private func digit(of key: Key) -> Int? {
        guard case .character(let digit) = key, digit.isASCII, digit != "0" || pendingKeys.count != nil,
            !keys.begins(with: key)
        else { return nil }
        return digit.wholeNumberValue
    }

    /// Performs an action, or lets it wait for the jokes that it needs. A count repeats a move, or is the number of a joke.
    mutating func act(_ action: Action, count: Int? = nil) -> [Effect] {
        if let count {
            switch action {
            case .first where isListShown, .last where isListShown:
                unfold(listed)
                return go(to: count)
            case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .scrollDown, .scrollUp, .nextUnseen,
                .previousUnseen, .nextFound, .previousFound, .nextSection, .previousSection, .detailsDown, .detailsUp:
                return take(Array(repeating: .action(action), count: min(count, PendingKeys.maxRepetitions)))
            default: break
            }
        }
        let before = self
        let effects = page == nil ? perform(action) : performOnPage(action)
        var jumping = before
        guard effects.isEmpty, waiting == nil, let window = before.missingWindow(for: action, leadingTo: self),
            let request = jumping.jump(to: window, then: .action(action))
        else { return effects }
        self = jumping
        return request
    }

    private func reason(forNoEffectOf key: Key) -> String {
        let action = keys.action(for: key)
        let isOfDetails = page == nil && (action == .detailsDown || action == .detailsUp)
        let shown = page != nil ? "page" : isOfDetails ? "details" : "list"
        if field?.isCut == true { return noteEdit == nil ? "query too long" : "note too long" }
        if noteEdit != nil && key == .enter { return "not saved: not connected" }
        if isTyping { return "\(key.name) has no effect here" }
        switch action {
        case nil where key == .escape: return "Nothing to close; \(keys.name(of: .quit)) quits"
        case nil: return "\(key.name) has no action; \(keys.name(of: .help)) lists the keys"
        case _ where page?.kind == .random && random.isRequested: return "The next joke is still loading"
        case _ where page == nil && cursor == nil: return "The list is empty"
        case _ where isOfDetails && layout.details == nil:
            return "No details shown; \(keys.name(of: .details)) shows them"
        case .down, .halfPageDown, .pageDown, .scrollDown, .last, .nextSection, .detailsDown:
            let more = shown == "list" && link != .live ? rows.numberOfMore(in: listed) : 0
            return more > 0 ? "\(more) more are not loaded: not connected" : "End of the \(shown)"
        case .up, .halfPageUp, .pageUp, .scrollUp, .first, .previousSection, .detailsUp: return "Start of the \(shown)"
        case .star, .note, .seen, .hide, .copy, .openURL: return "No joke selected"
        case .reveal, .open: return page == nil && jokeAtCursor == nil ? "No joke selected" : "Nothing more to show"
        default: return "\(key.name) has no effect here; \(keys.name(of: .help)) lists the keys"
        }
    }
}
