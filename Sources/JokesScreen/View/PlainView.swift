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
        if model.link != .connecting, isReachable != (model.link == .live) {
            isReachable.toggle()
            lines += [model.linkText?.0 ?? "Connected."].flatMap { $0.split(separator: "\n").map { String($0) } }
        }
        return lines + plainLines(of: model, since: old, after: lines)
    }
}

/// Returns what the page or the selected row shows, for example after a key that redraws the screen.
package func plainLinesAgain(of model: Model) -> [String] {
    model.page.map { model.plainContent(of: $0.kind).lines.plainTexts } ?? model.plainRow()
}

private func plainLines(of model: Model, since old: Model, after said: [String]) -> [String] {
    var lines: [String] = []
    if let prompt = model.plainPrompt, prompt != old.plainPrompt { lines.append(prompt) }
    if model.noteEdit != nil, old.noteEdit == nil { lines.append("Enter saves, escape cancels.") }
    let isNewPage = model.page?.kind != old.page?.kind
    if let joke = model.shownItem?.id.joke, joke == old.shownItem?.id.joke,
        model.isFavorite(joke) != old.isFavorite(joke)
    {
        // The notice of a key says it; a change of another client has none.
        if said.isEmpty, old.waiting == nil {
            lines.append("Favorite \(model.isFavorite(joke) ? "added" : "removed").")
        }
    } else if let page = model.page {
        // An attempt to connect is no news.
        guard isNewPage || model.link == old.link || model.link == .live else { return lines }
        lines += (isNewPage ? [page.kind.title(model)] : []) + model.plainNews(on: page, since: old)
    } else {
        // That the joke was read here is no news.
        let isSame = model.cursor == old.cursor && !isNewPage
        let known = isSame ? old.plainRow(saysUnseen: false) : []
        lines += model.plainSection(since: old) + model.plainRow(saysUnseen: !isSame).filter { !known.contains($0) }
    }
    // With another filter, more jokes are no news, and neither is a joke that an undo shows again.
    if model.shownView?.selection == old.shownView?.selection, old.expectedRow == nil,
        let new = model.lastHeader?.shown, let known = old.lastHeader.map({ max(0, $0.shown) }), new > known
    {
        lines.append(counted(new - known, "new joke"))
    }
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
        // A count, and then one key or two that belong together.
        let rest = Array(pressed.drop { if case .character(let digit) = $0 { digit.isNumber } else { false } })
        guard pressed.count > 1, rest.count != 1, keys.action(for: rest) == nil, !isTyping else { return nil }
        var next = self
        _ = update(&next, .input(.key(pressed[0])))
        if next.isTyping { return nil }
        return "\(line) is not a key; \(keys.name(of: .help)) lists the keys"
    }

    /// The content of a page with one thing in a line.
    fileprivate func plainContent(of kind: Page.Kind) -> PageContent {
        kind == .help ? PageContent(lines: helpLines(to: size.columns, inOneColumn: true)) : content(of: kind)
    }

    /// The lines of the page that are new, and the selected row if it is another one.
    fileprivate func plainNews(on page: Page, since old: Model) -> [String] {
        func selected(_ page: Page?, _ content: PageContent) -> [String]? {
            page.flatMap { content.rows.indices.contains($0.selected) ? content.rows[$0.selected] : nil }
                .map { Array(content.lines[$0]).plainTexts }
        }
        var old = old
        // The time alone is no news.
        old.clock = clock
        let content = plainContent(of: page.kind)
        let oldContent = old.page?.kind == page.kind ? old.plainContent(of: page.kind) : PageContent(lines: [])
        let (texts, known) = (content.lines.plainTexts, oldContent.lines.plainTexts)
        let new = texts.filter { !known.contains($0) }
        // If a search only removes lines, the others are the news.
        guard let row = selected(page, content) else { return new.isEmpty && texts != known ? texts : new }
        return new + (row == selected(old.page, oldContent) ? [] : row.filter { !new.contains($0) })
    }

    /// The open prompt with its text.
    fileprivate var plainPrompt: String? {
        noteEdit.map { "Note: \($0.text)" } ?? (page?.search?.text ?? search?.query).map { "Search: \($0)" }
    }

    /// The section that the cursor has entered, or the number of new results, unless the row says so.
    fileprivate func plainSection(since old: Model) -> [String] {
        guard let cursor, let id = rows.section(of: cursor), cursor != .header(id) else { return [] }
        let wasEntered = id == old.cursor.flatMap { old.rows.section(of: $0) }
        let (header, oldHeader) = (plainHeader(of: id), wasEntered ? old.plainHeader(of: id) : nil)
        return header == oldHeader || wasEntered && id != .searchResults ? [] : [header]
    }

    /// The row of the cursor in words.
    fileprivate func plainRow(saysUnseen: Bool = true) -> [String] {
        guard let cursor else { return [] }
        switch cursor {
        case .header(let id):
            return [plainHeader(of: id)] + emptyLines.plainTexts
        case .item(let id):
            guard let item = snapshot?.item(for: id), let content = item.content, let joke = id.joke else {
                return ["Loading"]
            }
            let punchline = content.text.punchline.map {
                revealed.contains(id) ? $0 : "\(keys.plainReveal) shows the punchline."
            }
            let facts = plainFacts(of: joke, content, saysUnseen: saysUnseen)
            return [content.text.setup, punchline, facts].compactMap(\.self)
        }
    }

    private func plainHeader(of id: Section.ID) -> String {
        let end = folded.contains(id) ? ", folded." : "."
        return switch snapshot?.section(for: id) {
        case .favoriteJokes(let count): "Favorites, \(count)\(end)"
        case .jokes(let header): "Jokes, \(header.shown)\(end)"
        case .searchResults(let query, let count, let isExact, _):
            "\(isExact ? "" : "At least ")\(counted(count, "joke")) found for '\(query)'\(end)"
        case .unknown, nil: ""
        }
    }

    private func plainFacts(of joke: JokeID, _ content: JokeContent, saysUnseen: Bool) -> String {
        let number = cursor.flatMap { rows.numberOfJoke($0) }.map { "Number \($0)" }
        let favorite = isFavorite(joke) ? "favorite" : nil
        let unseen = saysUnseen && itemAtCursor?.isUnseen == true ? "unseen" : nil
        let facts = [number, String(joke.source), content.categories.first, favorite, unseen].compactMap(\.self)
        return facts.joined(separator: ", ") + "."
    }
}
