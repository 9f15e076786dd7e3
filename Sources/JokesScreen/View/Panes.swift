import Diffable
import JokesCore
import Terminal
import TextLayout

// The header line and the rules around the list, the details and the pages.

extension Model {
    /// The title of the header: the page, or the section of the cursor with the position in it.
    private var title: String {
        if let page { return title(of: page.kind) }
        guard let cursor, let id = rows.section(of: cursor), let section = snapshot?.section(for: id) else {
            return "Jokes"
        }
        let position = rows.numberOfJoke(cursor).map { "\($0)/" } ?? ""
        switch section {
        case .favoriteJokes(let count): return "Favorites \(position)\(count)"
        case .jokes(let header): return "Jokes \(position)\(header.shown)"
        case .searchResults(_, let count, let isExact, _): return "Found \(position)\(count)\(isExact ? "" : "+")"
        case .unknown: return "Jokes"
        }
    }

    /// The header: the title, and the state of the daemon at the right.
    private func header(rule: String, width: Int) -> Line {
        let edge = Line(rule, .frame)
        let isFiltered = page == nil || page?.kind == .random
        let name = edge + Line(" \(title) ", Style(.bold, .heading)) + Line(isFiltered ? filterTitle : "", .accent)
        let room = width - name.columns - 3
        let (clauses, role) = stateClauses
        let words = fitting(clauses, in: room)
        let state = words.isEmpty || words.columns > room ? Line() : Line(" \(words) ", Style([], role)) + edge
        let gap = Line(repeating: rule, count: width - name.columns - state.columns, .frame)
        return (name + gap + state).fitted(to: width)
    }

    /// The title of the details: the source of the joke.
    private func detailsTitle(width: Int) -> Line {
        let name = jokeAtCursor.map { " \($0.source) " } ?? ""
        let line = Line(name, .muted).truncated(to: width)
        return line + rule(width - line.columns)
    }

    /// Adds the header, the details and the rules to the lines of the list.
    func withPanes(_ list: [Line]) -> [Line] {
        let layout = layout
        var lines: [Line] = []
        switch layout.details {
        case nil: lines = framed(list, layout)
        case .beside(let size):
            let details = shownDetailLines(in: size)
            let divider = Line(vertical + " ", .frame)
            let inner = zip(list, details).map { $0 + divider + $1 + Line(" ") }
            lines = framed(inner, layout, split: layout.list.columns)
        case .below(let size):
            let columns = layout.list.columns
            let rule = Line(horizontal, .frame) + detailsTitle(width: columns - 1)
            lines = framed(list, layout, bottom: [])
            let details = shownDetailLines(in: size).map { (Line(" ") + $0).fitted(to: columns) }
            lines += layout.isFramed ? [Line("\u{251C}", .frame) + rule + Line("\u{2524}", .frame)] : [rule]
            lines += framed(details, layout, top: [])
        }
        return lines
    }

    /// Adds the header and the rules to the lines of a page.
    func framedPage(_ lines: [Line]) -> [Line] {
        framed(lines, Layout(size, wantsDetails: false, footer: footerHeight))
    }

    /// Adds the header above the lines, and in a frame the rules around them. `split` is the column of a vertical rule.
    private func framed(
        _ inner: [Line], _ layout: Layout, split: Int? = nil, top: [Line]? = nil, bottom: [Line]? = nil
    ) -> [Line] {
        guard layout.isFramed else {
            let above = layout.hasHeader ? [header(rule: " ", width: size.columns)] : []
            return (top ?? above) + inner
        }
        let width = size.columns - 2
        var above = Line("\u{256D}", .frame)
        var below = Line("\u{2570}", .frame)
        if let split {
            above =
                above + header(rule: horizontal, width: split) + Line("\u{252C}" + horizontal, .frame)
                + detailsTitle(width: width - split - 2)
            below = below + rule(split) + Line("\u{2534}", .frame) + rule(width - split - 1)
        } else {
            above = above + header(rule: horizontal, width: width)
            below = below + rule(width)
        }
        let side = Line(vertical, .frame)
        let sides = inner.map { side + $0 + side }
        return (top ?? [above + Line("\u{256E}", .frame)]) + sides + (bottom ?? [below + Line("\u{256F}", .frame)])
    }

    private func rule(_ width: Int) -> Line { Line(repeating: horizontal, count: width, .frame) }
}

/// The character of horizontal rules.
let horizontal = "\u{2500}"
private let vertical = "\u{2502}"
