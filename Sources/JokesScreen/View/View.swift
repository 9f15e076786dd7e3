import Diffable
import JokesCore
package import Terminal

/// The screen that shows the model: as many lines as the screen has rows, each of exactly its columns. Pure. O(screen).
package func view(_ model: Model) -> Frame {
    var lines =
        model.page.map { filled(model.lines(of: $0.kind).dropFirst($0.top), model.pageSize) } ?? model.listAndDetails
    guard model.size.rows > 1 else { return Frame(lines: lines) }
    let prompt = model.prompt
    lines.append(prompt?.line ?? model.statusLine)
    return Frame(lines: lines, cursor: prompt.map { Position(column: $0.end, row: model.size.rows - 1) })
}

/// The first of the lines as they fill the size, and blank ones below them.
private func filled(_ lines: some Sequence<Line>, _ size: Size) -> [Line] {
    let shown = lines.prefix(size.rows).map { $0.fitted(to: size.columns) }
    return shown + Array(repeating: Line().padded(to: size.columns), count: size.rows - shown.count)
}

extension Model {
    fileprivate var listAndDetails: [Line] {
        withDetails(filled(body, layout.list))
    }

    /// The lines of the list that are on the screen, and what there is to say where it is empty.
    private var body: [Line] {
        guard snapshot != nil else { return waitingLines }
        var body = listLines
        if let emptyWords { body += [Line()] + paragraph(emptyWords) }
        return body
    }

    private var listLines: [Line] {
        guard let top else { return [] }
        var shown: [Line] = []
        var row: RowID? = top.row
        while let current = row, shown.count < listHeight + top.line {
            let lines = lines(of: current)
            shown += current == cursor ? lines.map { $0.fitted(to: listWidth).highlighted } : lines
            row = rows.row(after: current)
        }
        return Array(shown.dropFirst(top.line))
    }

    /// What a list without a single item says; nil where it has one, or one is on the way.
    private var emptyWords: String? {
        if case .searchResults(_, 0, _) = snapshot?.section(for: .searchResults), !isAwaited {
            return "Nothing is found. A shorter word finds more; Esc shows all jokes again."
        }
        guard let snapshot, snapshot.numberOfItems == 0, link == .live, let header = jokesHeader, !header.isSyncing
        else { return nil }
        if header.cached > 0 { return nil }
        if header.isOffline { return "No joke is cached, and no source can be reached. Press r to try again." }
        return "No joke is cached yet. Press r to ask the sources now."
    }

    private var waitingLines: [Line] {
        switch link {
        case .connecting, .live: paragraph("Connecting to the daemon\u{2026}")
        case .away(let reason, let retryAt):
            paragraph("The daemon is away. Next try at \(clock.timeOfDay(retryAt)); r tries now, q quits.") + [Line()]
                + paragraph("Start it with: systemctl --user start jokesd") + [Line()] + paragraph(reason)
        }
    }

    private func paragraph(_ text: String) -> [Line] {
        wrapped(text, to: max(1, listWidth - 2)).map { Line("  " + $0) }
    }
}
