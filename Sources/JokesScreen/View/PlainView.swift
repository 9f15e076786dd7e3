import Diffable
import JokesCore
package import Terminal
import TextLayout

/// The text of the viewer for screen readers.
package struct PlainView {
    /// False after it was said that the daemon is unreachable.
    private var isReachable = true

    package init() {}

    /// Returns the lines after a change: what is new since `old`, each fact once. `byKey` is true after a key, whose notice
    /// is always new.
    package mutating func lines(of model: Model, since old: Model, byKey: Bool) -> [String] {
        var lines: [String] = []
        if let notice = model.notice, byKey || notice != old.notice { lines.append(notice.text) }
        switch model.link {
        case .unreachable(let reason, let hint, _) where isReachable:
            isReachable = false
            lines += ["Daemon unreachable.", reason] + (hint.map { [$0] } ?? [])
        case .live where !isReachable:
            isReachable = true
            lines.append("Connected.")
        default: break
        }
        return lines + plainLines(of: model, since: old)
    }
}

/// Returns what the page or the selected row shows, for example after a key that redraws the screen.
package func plainLinesAgain(of model: Model) -> [String] {
    model.page.map { model.plainContent(of: $0.kind).lines.plainTexts } ?? model.plainRow
}

private func plainLines(of model: Model, since old: Model) -> [String] {
    var lines: [String] = []
    if let edit = model.noteEdit, edit != old.noteEdit { lines.append("Note: \(edit.text)") }
    if model.noteEdit != nil, old.noteEdit == nil { lines.append("Enter saves, escape cancels.") }
    let isNewPage = model.page?.kind != old.page?.kind
    if let page = model.page {
        let content = model.plainContent(of: page.kind)
        let oldContent = isNewPage ? nil : old.plainContent(of: page.kind)
        if content != oldContent {
            let (texts, known) = (content.lines.plainTexts, Set(oldContent?.lines.plainTexts ?? []))
            let new = texts.filter { !known.contains($0) }
            // If lines were only removed, the others are the news.
            lines += (isNewPage ? [model.title(of: page.kind)] : []) + (new.isEmpty ? texts : new)
        } else if let row = page.row(of: content), row != old.page?.row(of: content) {
            lines += Array(content.lines[row]).plainTexts
        }
    } else {
        lines += model.plainFound(since: old)
        if model.plainRow != old.plainRow || isNewPage { lines += model.plainRow }
    }
    let added = model.arrivals.subtracting(old.arrivals).count
    if added > 0 { lines.append(counted(added, "new joke")) }
    return lines
}

/// The first lines of the plain viewer.
package func plainGreeting(_ keys: KeyTable) -> [String] {
    [
        "Type a key and Enter. \(keys.plainReveal) shows the punchline. \(keys.name(of: .down)) and \(keys.name(of: .up)) move, "
            + "\(keys.name(of: .help)) lists the keys, \(keys.name(of: .quit)) quits."
    ]
}

extension KeyTable {
    /// The key that shows a punchline: Enter, as an empty line, unless it has another action.
    fileprivate var plainReveal: String { action(for: .enter) == .reveal ? "Enter alone" : name(of: .reveal) }
}

extension Page {
    /// The lines of the selected row; nil if the page has no rows.
    fileprivate func row(of content: PageContent) -> Range<Int>? {
        content.rows.indices.contains(selected) ? content.rows[selected] : nil
    }
}

extension [Line] {
    /// The texts of lines with text.
    fileprivate var plainTexts: [String] {
        map { line in
            let words = line.plainText.split(separator: " ").filter { $0 != "\u{25CB}" }
            return words.map { $0 == "\u{25CF}" ? "selected:" : $0 }.joined(separator: " ")
        }.filter { !$0.isEmpty }
    }
}

extension Model {
    /// Returns why the keys of a line are not pressed; nil if they are. A word is not a series of keys, because one of
    /// them could hide a joke. Text may follow a key that opens a prompt here.
    package func refusal(ofLine line: String, _ pressed: [Key]) -> String? {
        guard pressed.count > 1, !isTyping else { return nil }
        var next = self
        _ = update(&next, .input(.key(pressed[0])))
        if next.isTyping { return nil }
        return "\(line) is not a key; \(keys.name(of: .help)) lists the keys"
    }

    /// The content of a page with one thing in a line.
    fileprivate func plainContent(of kind: Page.Kind) -> PageContent {
        kind == .help ? PageContent(lines: helpLines(inOneColumn: true)) : content(of: kind)
    }

    /// The number of results, if they are new.
    fileprivate func plainFound(since old: Model) -> [String] {
        guard case .searchResults(let query, let count, let isExact, _) = snapshot?.section(for: .searchResults),
            old.snapshot?.section(for: .searchResults) != snapshot?.section(for: .searchResults)
        else { return [] }
        return ["\(isExact ? "" : "At least ")\(counted(count, "joke")) found for '\(query)'."]
    }

    /// The row of the cursor in words.
    fileprivate var plainRow: [String] {
        guard let cursor else { return [] }
        switch cursor {
        case .header(let id):
            guard let section = snapshot?.section(for: id) else { return [] }
            return [plainHeader(of: section) + (folded.contains(id) ? ", folded" : "")] + emptyLines.plainTexts
        case .item(let id):
            guard let item = snapshot?.item(for: id), let content = item.content, let joke = id.joke else {
                return ["Loading"]
            }
            return [content.text.setup] + plainPunchline(content.text.punchline, isShown: revealed.contains(id))
                + [plainFacts(of: joke, content)]
        }
    }

    private func plainPunchline(_ punchline: String?, isShown: Bool) -> [String] {
        punchline.map { [isShown ? $0 : "\(keys.plainReveal) shows the punchline."] } ?? []
    }

    private func plainHeader(of section: Section) -> String {
        switch section {
        case .favoriteJokes(let count): counted(count, "favorite")
        case .jokes(let header): counted(header.shown, "joke")
        case .searchResults(_, let count, let isExact, _): "\(isExact ? "" : "at least ")\(counted(count, "result"))"
        case .unknown: ""
        }
    }

    private func plainFacts(of joke: JokeID, _ content: JokeContent) -> String {
        let number = cursor.flatMap { rows.numberOfJoke($0) }.map { "Number \($0)" }
        let favorite = isFavorite(joke) ? "favorite" : nil
        let unseen = itemAtCursor?.isUnseen == true ? "unseen" : nil
        let facts = [number, String(joke.source), content.categories.first, favorite, unseen].compactMap(\.self)
        return facts.joined(separator: ", ") + "."
    }
}
