import Diffable
import JokesCore
package import Terminal

/// The screen that shows the model: as many lines as the screen has rows, each of exactly its columns. Pure. O(screen).
package func view(_ model: Model) -> Frame {
    let body = model.helpTop.map { Array(model.helpLines[$0...]) } ?? model.body
    let shown = body.prefix(model.listHeight).map { $0.fitted(to: model.size.columns) }
    let blank = Line().padded(to: model.size.columns)
    var lines = shown + Array(repeating: blank, count: model.listHeight - shown.count)
    if model.size.rows > 1 { lines.append(model.statusLine) }
    return Frame(lines: lines)
}

extension Model {
    /// The lines of the list that are on the screen, and what there is to say where it is empty.
    fileprivate var body: [Line] {
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
            shown += current == cursor ? lines.map { $0.fitted(to: size.columns).highlighted } : lines
            row = rows.row(after: current)
        }
        return Array(shown.dropFirst(top.line))
    }

    /// What a list without a single item says; nil where it has one, or one is on the way.
    private var emptyWords: String? {
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
        wrapped(text, to: max(1, size.columns - 2)).map { Line("  " + $0) }
    }
}
