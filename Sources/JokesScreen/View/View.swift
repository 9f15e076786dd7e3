import Diffable
package import Terminal
import TextLayout

/// The screen for the model: one line for each row of the terminal, each with exactly its columns. Pure. O(screen)
package func view(_ model: Model) -> Frame {
    var lines =
        model.page.map { filled(model.lines(of: $0.kind).dropFirst($0.top), model.pageSize) } ?? model.listAndDetails
    guard model.size.rows > 1 else { return Frame(lines: lines) }
    let prompt = model.prompt
    let status = prompt.map { [$0.line] } ?? model.statusLines
    lines = lines.prefix(model.size.rows - status.count) + status
    return Frame(lines: lines, cursor: prompt.map { Position(column: $0.end, row: model.size.rows - 1) })
}

/// The lines that fit, and blank ones below them.
private func filled(_ lines: some Sequence<Line>, _ size: Size) -> [Line] {
    let shown = lines.prefix(size.rows).map { $0.fitted(to: size.columns) }
    return shown + Array(repeating: Line().padded(to: size.columns), count: size.rows - shown.count)
}

extension Model {
    fileprivate var listAndDetails: [Line] {
        withDetails(filled(body, layout.list))
    }

    /// The shown lines of the list, and the text for an empty list.
    private var body: [Line] {
        guard snapshot != nil else { return waitingLines }
        let lines = shownRows.flatMap { row in
            row.id == cursor ? row.lines.map { $0.fitted(to: listWidth).highlighted } : row.lines
        }
        return Array((lines + emptyLines).dropFirst(top?.line ?? 0))
    }
}
