import Diffable
import JokesCore
import Terminal
import TextLayout

/// The text for the jokes-tui of screen readers after a change: what is new since `old`, each fact once. Pure.
package func plainLines(of model: Model, since old: Model) -> [String] {
    var lines: [String] = []
    if let notice = model.notice, notice != old.notice { lines.append(notice.text) }
    if model.link != old.link { lines += model.plainLink(since: old.link) }
    if let edit = model.noteEdit, edit != old.noteEdit { lines.append("Note: \(edit.text)") }
    let isNewPage = model.page?.kind != old.page?.kind
    if let page = model.page {
        let content = model.plainContent(of: page.kind)
        let oldContent = isNewPage ? nil : old.plainContent(of: page.kind)
        if content != oldContent {
            lines += (isNewPage ? [model.title(of: page.kind)] : []) + content.lines.plainTexts
        } else if let row = page.row(of: content), row != old.page?.row(of: content) {
            lines += Array(content.lines[row]).plainTexts
        }
    } else if model.plainRow != old.plainRow || isNewPage {
        lines += model.plainFound(since: old) + model.plainRow
    }
    let added = model.arrivals.subtracting(old.arrivals).count
    if added > 0 { lines.append(counted(added, "new joke")) }
    return lines
}

/// The first lines of the plain viewer.
package func plainGreeting(_ keys: KeyTable) -> [String] {
    [
        "Type a key and Enter. Enter alone shows the punchline. \(keys.name(of: .down)) and \(keys.name(of: .up)) move, "
            + "\(keys.name(of: .help)) lists the keys, \(keys.name(of: .quit)) quits."
    ]
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
    /// The content of a page with one thing in a line.
    fileprivate func plainContent(of kind: Page.Kind) -> PageContent {
        kind == .help ? PageContent(lines: helpLines(inOneColumn: true)) : content(of: kind)
    }

    fileprivate func plainLink(since old: LinkState) -> [String] {
        switch (link, old) {
        case (.unreachable(let reason, let hint, _), .connecting), (.unreachable(let reason, let hint, _), .live):
            return ["Daemon unreachable.", reason] + (hint.map { [$0] } ?? [])
        case (.live, .unreachable): return ["Connected."]
        default: return []
        }
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
        case .more, .above: return lines(of: cursor).plainTexts
        case .item(let id):
            guard let item = snapshot?.item(for: id), let content = item.content, let joke = id.joke else {
                return ["Loading"]
            }
            return [content.text.setup] + plainPunchline(content.text.punchline, isShown: revealed.contains(id))
                + [plainFacts(of: joke, content)]
        }
    }

    private func plainPunchline(_ punchline: String?, isShown: Bool) -> [String] {
        punchline.map { [isShown ? $0 : "Enter shows the punchline."] } ?? []
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
