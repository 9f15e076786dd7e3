import Diffable
import JokesCore
import Terminal
import TextLayout

@testable import JokesScreen

/// The last snapshot of the daemon that the viewer has shown, and its last header of the jokes.
struct Received {
    private(set) var snapshot: JokeSnapshot?
    /// The last header of the jokes. The snapshot of a search has none.
    private(set) var header: JokesHeader?

    mutating func take(_ step: Step, shownBy model: Model) {
        switch step {
        // A viewer that has requested another window or an answer does not show a snapshot.
        case .snapshot(let new) where model.snapshot == new.withLoadingRows(atMost: 1):
            snapshot = new.withLoadingRows(atMost: 1)
            if case .jokes(let new) = new.section(for: .jokes) { header = new }
        case .message(.connecting), .message(.unreachable): snapshot = snapshot?.withLoadingRows(atMost: 0)
        default: break
        }
    }
}

extension Model {
    /// A model without the history of this one, with the snapshot built from its items.
    ///
    /// The snapshot and all caches are new. State that is not drawn is left out: undo steps, the
    /// expected row, the last click. The model copies only state that is not in a snapshot:
    ///
    /// - the size, the clock and the keys;
    /// - the cursor and the first line of the list, the folded sections, the revealed punchlines, line wrapping, the
    ///   page, the details and their scrolling, and the search;
    /// - the filters and the note in the prompt, the random jokes, and the jokes of the page of hidden jokes;
    /// - the state of the connection, the requested and the shown view, and the keys that wait;
    /// - the status of the sources, the test of a source, and the notice.
    func redrawn(from received: Received) throws -> Model {
        var new = Model(size: size, clock: clock, wrapsRows: wrapsRows, minWindow: minWindow, keys: keys)
        (new.cursor, new.top, new.folded, new.revealed) = (cursor, top, folded, revealed)
        (new.pages, new.wantsDetails, new.detailTop, new.search) = (pages, wantsDetails, detailTop, search)
        (new.random, new.selection) = (random, selection)
        (new.filterCounts, new.hidden, new.noteEdit) = (filterCounts, hidden, noteEdit)
        new.sourceTest = sourceTest
        (new.link, new.watched, new.shownView, new.waiting) = (link, watched, shownView, waiting)
        (new.report, new.notice) = (report, notice)
        (new.snapshot, new.lastHeader) = (try received.snapshot.map(rebuilt), received.header)
        return new
    }
}

private func rebuilt(_ snapshot: JokeSnapshot) throws -> JokeSnapshot {
    var copy = JokeSnapshot()
    for section in snapshot.sections {
        copy.appendSections([section])
        try copy.appendItems(Array(snapshot[section.id]), toSection: section.id)
    }
    return copy
}

/// Both screens, and the lines that differ, with their styles.
func difference(_ got: Frame, _ expected: Frame) -> String {
    var words = "got:\n\(got.plainText)\nexpected:\n\(expected.plainText)"
    for row in 0..<max(got.lines.count, expected.lines.count) {
        let lines = [got, expected].map { row < $0.lines.count ? $0.lines[row] : nil }
        if lines[0] != lines[1] { words += "\nline \(row): \(lines[0]?.spans ?? []) is not \(lines[1]?.spans ?? [])" }
    }
    if got.cursor != expected.cursor { words += "\ncursor: \(got.cursor as Any) is not \(expected.cursor as Any)" }
    return words
}
