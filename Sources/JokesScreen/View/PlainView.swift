import Diffable
import JokesCore
import Terminal
import TextLayout

/// The text of the viewer for screen readers.
struct PlainView {
    /// False after it was said that the daemon is unreachable.
    private var isReachable = true

    /// Returns the lines after a change: what is new since `old`. `byKey` is true after a key, whose notice is always new.
    mutating func lines(of model: Model, since old: Model, byKey: Bool) -> [String] {
        var lines: [String] = []
        if let notice = model.notice, byKey || notice != old.notice { lines.append(notice.text) }
        if model.link != .connecting, isReachable != (model.link == .live) {
            isReachable.toggle()
            lines += (model.linkText?.0 ?? "Connected.").split(separator: "\n").map(String.init)
        }
        return lines + model.plainNews(since: old)
    }
}

/// Returns what the page or the list shows, for example after a key that redraws the screen.
func plainLinesAgain(of model: Model) -> [String] { model.plainLines.map(\.text) }

/// A line of text, or several lines.
private struct PlainLine {
    let text: String
    /// The text without what is no news: that the joke is a favorite or unseen.
    let key: String
    /// True for the lines of the selected row.
    let isSelected: Bool

    init(_ text: String, key: String? = nil, isSelected: Bool = false) {
        (self.text, self.key, self.isSelected) = (text, key ?? text, isSelected)
    }
}

extension Model {
    /// The lines that are new since `old`, and those of the selected row if it is another one.
    fileprivate func plainNews(since old: Model) -> [String] {
        let isSamePage = page?.kind == old.page?.kind
        // On a page, an attempt to connect is no news.
        if page != nil, isSamePage, link != old.link, link != .live { return [] }
        var old = old
        // The time alone is no news.
        old.clock = clock
        let (lines, oldLines) = (plainLines, old.plainLines)
        // A search may only remove lines: the others are the news.
        let isSameContent = isSamePage && page?.search?.text ?? "" == old.page?.search?.text ?? ""
        let known = isSameContent ? oldLines.map(\.key) : []
        let isOtherRow = lines.first(where: \.isSelected)?.key != oldLines.first(where: \.isSelected)?.key
        return lines.filter { !known.contains($0.key) || isOtherRow && $0.isSelected }.map(\.text)
    }

    /// The prompt, and the content of the page or the selected row of the list.
    fileprivate var plainLines: [PlainLine] {
        let search = page?.search?.text ?? search?.query
        let prompt = noteEdit.map { ["Note: \($0.text)", "Enter saves, escape cancels."] }
        let lines = (prompt ?? search.map { ["Search: \($0)"] } ?? []).map { PlainLine($0) }
        return (lines + (page.map { plainLines(of: $0) } ?? plainLinesOfList)).filter { !$0.text.isEmpty }
    }

    private func plainLines(of page: Page) -> [PlainLine] {
        // One key in a line.
        let content =
            page.kind == .help
            ? PageContent(lines: helpLines(to: size.columns, inOneColumn: true)) : content(of: page.kind)
        let selected = content.rows.indices.contains(page.selected) ? content.rows[page.selected] : 0..<0
        return [PlainLine(page.kind.title(self), key: page.kind.name)]
            + content.lines.enumerated().map { number, line in
                let text = line.screenReaderText
                let key = text.replacing("\u{2605} ", with: "")
                return PlainLine(text, key: key, isSelected: selected.contains(number))
            }
    }

    /// The section of the cursor and its row. A header is both.
    private var plainLinesOfList: [PlainLine] {
        guard let cursor, let section = rows.section(of: cursor) else { return [] }
        let header = plainHeader(of: section)
        guard case .item(let id) = cursor else {
            return [PlainLine(header, isSelected: true)] + emptyLines.map { PlainLine($0.screenReaderText) }
        }
        guard let item = snapshot?.item(for: id), let content = item.content, let joke = id.joke else {
            return [PlainLine(header), PlainLine("Loading", isSelected: true)]
        }
        let hint = "\(keys.plainReveal) shows the punchline."
        let punchline = content.text.punchline.map { [revealed.contains(id) ? $0 : hint] } ?? []
        let number = rows.numberOfJoke(cursor).map { "Number \($0)" }
        let facts = [number, String(joke.source), content.categories.first].compactMap(\.self).joined(separator: ", ")
        let marks = (isFavorite(joke) ? ", favorite" : "") + (item.isUnseen ? ", unseen" : "")
        return [PlainLine(header)]
            + ([content.text.setup] + punchline).map { PlainLine($0, isSelected: true) }
            + [PlainLine(facts + marks + ".", key: facts, isSelected: true)]
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
}

/// The first lines of the plain viewer.
func plainGreeting(_ keys: KeyTable) -> [String] {
    [
        "Type a key and Enter. \(keys.plainReveal) shows the punchline. \(keys.name(of: .down)) and \(keys.name(of: .up)) move, "
            + "\(keys.name(of: .help)) lists the keys, \(keys.name(of: .quit)) quits."
    ]
}

extension KeyTable {
    /// The key that shows a punchline: Enter, as an empty line, unless it has another action.
    fileprivate var plainReveal: String { action(for: .enter) == .reveal ? "Enter alone" : name(of: .reveal) }
}

extension Line {
    /// The words of the line, with a word for the sign of a set filter.
    fileprivate var screenReaderText: String {
        let words = plainText.split(separator: " ").filter { $0 != "\u{25CB}" }
        return words.map { $0 == "\u{25CF}" ? "selected:" : $0 }.joined(separator: " ")
    }
}

extension Model {
    /// Returns why the keys of a line are not pressed; nil if they are. A word is not a series of keys, because one of
    /// them could hide a joke. Text may follow a key that opens a prompt here.
    func refusal(ofLine line: String, _ pressed: [Key]) -> String? {
        // A count, and then one key or two that belong together.
        let rest = Array(pressed.drop { if case .character(let digit) = $0 { digit.isNumber } else { false } })
        guard pressed.count > 1, rest.count != 1, keys.action(for: rest) == nil, !isTyping else { return nil }
        var next = self
        _ = update(&next, .input(.key(pressed[0])))
        if next.isTyping { return nil }
        return "\(line) is not a key; \(keys.name(of: .help)) lists the keys"
    }
}
