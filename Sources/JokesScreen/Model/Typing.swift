import Terminal

/// The text of a prompt with its cursor, which is between two characters.
struct TextField: Hashable, Sendable {
    /// The text before the cursor.
    private(set) var before: String
    /// The text after the cursor.
    private(set) var after = ""
    /// The texts that the keys for the history put in place of this one, the next one last.
    private(set) var older: [String]
    private(set) var newer: [String] = []
    /// True if the last input did not fit.
    private(set) var isCut = false

    var text: String { before + after }
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    init(_ text: String = "", older: [String] = []) { (before, self.older) = (text, older) }

    /// The field after a key, as in readline; nil if the key neither types nor moves the cursor.
    func edited(by key: Key) -> TextField? {
        switch key {
        case .character(let character): inserting(String(character))
        case .backspace: with(before.dropLast(), after)
        case .delete: with(before, after.dropFirst())
        case .control("w"): with(before.dropLast(wordLength(before.reversed())), after)
        case .control("u"): with("", after)
        case .control("k"): with(before, "")
        case .left: moved(by: -1)
        case .right: moved(by: 1)
        case .alt("b"): moved(by: -wordLength(before.reversed()))
        case .alt("f"): moved(by: wordLength(after))
        case .home, .control("a"): moved(by: -before.count)
        case .end, .control("e"): moved(by: after.count)
        case .up, .control("p"): recalled(from: \.older, to: \.newer)
        case .down, .control("n"): recalled(from: \.newer, to: \.older)
        default: nil
        }
    }

    /// The field with a text at the cursor.
    func inserting(_ text: String) -> TextField { with(before + text, after) }

    /// The field without the end of the text before the cursor, as much of it as is too long.
    func cut(to limit: Int, while isTooLong: (String) -> Bool = { _ in false }) -> TextField {
        var kept = before.prefix(max(0, limit - after.count))
        while isTooLong(kept + after), kept.popLast() != nil {}
        var new = with(kept, after)
        new.isCut = kept.count < before.count
        return new
    }

    private func with(_ before: some StringProtocol, _ after: some StringProtocol) -> TextField {
        var (new, text) = (self, String(before) + String(after))
        // A mark after the cursor belongs to the character before it.
        let end = text.utf8.index(text.startIndex, offsetBy: before.utf8.count)
        let cursor = text.indices.first { $0 >= end } ?? text.endIndex
        (new.before, new.after) = (String(text[..<cursor]), String(text[cursor...]))
        return new
    }

    private func moved(by count: Int) -> TextField {
        let place = max(0, before.count + count)
        return with(text.prefix(place), text.dropFirst(place))
    }

    private typealias Texts = WritableKeyPath<TextField, [String]>

    /// The field with the next text of the history. Edits of this one stay in the history.
    private func recalled(from source: Texts, to target: Texts) -> TextField {
        var new = self
        guard let text = new[keyPath: source].popLast() else { return self }
        new[keyPath: target].append(self.text)
        return new.with(text, "")
    }
}

/// The number of characters up to the end of the first word.
private func wordLength(_ text: some Collection<Character>) -> Int {
    let spaces = text.prefix(while: \.isWhitespace).count
    return spaces + text.dropFirst(spaces).prefix { !$0.isWhitespace }.count
}

extension Model {
    /// The text of the open prompt; nil if none is open.
    var field: TextField? {
        if let noteEdit { return noteEdit.field }
        if let page { return page.search.flatMap { $0.isTyping ? $0.field : nil } }
        return search.flatMap { $0.isTyping ? $0.field : nil }
    }

    /// True if keys go to a prompt.
    var isTyping: Bool { field != nil }

    /// Handles a key in the open prompt, whose text is `field`.
    mutating func type(_ key: Key, in field: TextField) -> [Effect] {
        switch key {
        case .escape: return closePrompt()
        case .enter where noteEdit != nil: return saveNote()
        case .alt("e") where noteEdit != nil: return [.editNote]
        case .enter where field.isBlank, .backspace where noteEdit == nil && field.text.isEmpty: return closePrompt()
        case .enter:
            remember(field)
            if page == nil { search?.isTyping = false } else { pages[pages.count - 1].search?.isTyping = false }
            return []
        default: break
        }
        if let new = field.edited(by: key) { return set(new) }
        guard let action = keys.action(for: key) else { return [] }
        switch action {
        case .quit: return closePrompt()
        case .redraw, .suspend: break
        case .down, .up, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .first, .last:
            if noteEdit != nil { return [] }
        default: return []
        }
        return act(action)
    }

    /// Inserts pasted text at the cursor of the prompt. Without a prompt, pasted text does nothing.
    mutating func paste(_ text: String) -> [Effect] {
        notice = nil
        guard waiting == nil else {
            waiting?.steps.append(.paste(text))
            return []
        }
        if let field { return set(field.inserting(text)) }
        let (search, note) = (keys.name(of: .search), keys.name(of: .note))
        notice = Notice(text: "Paste works only in a search or note; \(search) and \(note) start one")
        return []
    }

    private mutating func set(_ field: TextField) -> [Effect] {
        if noteEdit != nil { setNote(field) } else if page != nil { setPageSearch(field) } else { return ask(field) }
        return []
    }

    private mutating func closePrompt() -> [Effect] {
        if noteEdit != nil { return leaveNote() }
        if let field { remember(field) }
        return leave()
    }

    /// Adds all texts of a search prompt to the history, the current one last.
    private mutating func remember(_ field: TextField) {
        let texts = searchHistory + field.older + field.newer.reversed() + [field.text]
        searchHistory = texts.filter { !$0.allSatisfy(\.isWhitespace) }.reduce(into: []) { history, text in
            history.removeAll { $0 == text }
            history.append(text)
        }.suffix(100)
    }
}
