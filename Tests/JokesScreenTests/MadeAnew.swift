import Diffable
import JokesCore
import Terminal
import TextLayout

@testable import JokesScreen

/// What the daemon has told of its jokes.
struct Told {
    private(set) var picture: JokeSnapshot?
    /// The header of the jokes: what a picture without one, that of a search, leaves as it was.
    private(set) var header: JokesHeader?

    mutating func take(_ step: Step) {
        guard case .picture(let new) = step else { return }
        picture = new
        if case .jokes(let new) = new.section(for: .jokes) { header = new }
    }
}

extension Model {
    /// A model that has nothing of the way to this one: of the daemon's picture as it is now, built from the first item
    /// on, for the same person at the same terminal.
    ///
    /// What is made anew is the picture, what is shown of it, and whatever a model may keep of either to be quicker. What is
    /// not drawn (what can be undone, where the cursor wants to go, the last click) is left out. Taken over is only what
    /// no picture tells, and of rows nothing but which ones they are:
    ///
    /// - of the terminal: its size, the clock, the keys;
    /// - of the person: the row under the cursor and the line at the top, what is folded, what is revealed, how many
    ///   lines rows have, the page, the details, how far both are scrolled, the search;
    /// - of what is on the way: how it stands with the daemon, stars and hidings that it has not confirmed, the
    ///   view it was asked for and whether that is awaited, what it said of its sources and of the last key;
    /// - of time: which rows are marked as new, and how far the light over loading rows has come.
    func madeAnew(of told: Told) throws -> Model {
        var new = Model(size: size, clock: clock, keys: keys, wrapsRows: wrapsRows)
        (new.cursor, new.top, new.folded, new.revealed) = (cursor, top, folded, revealed)
        (new.page, new.wantsDetails, new.detailTop, new.search) = (page, wantsDetails, detailTop, search)
        (new.link, new.marks, new.isAwaitingSnapshot) = (link, marks, isAwaitingSnapshot)
        new.watched = watched
        (new.report, new.notice, new.arrivals, new.shimmer) = (report, notice, arrivals, shimmer)
        (new.daemonSnapshot, new.lastHeader) = (try told.picture.map(rebuilt), told.header)
        new.snapshot = new.snapshotWithoutHidden
        return new
    }
}

private func rebuilt(_ picture: JokeSnapshot) throws -> JokeSnapshot {
    var copy = JokeSnapshot()
    for section in picture.sections {
        try copy.appendSections([section])
        try copy.appendItems(picture.items(inSection: section.id), toSection: section.id)
    }
    return copy
}

/// Both screens, and the lines in which they differ with their styles.
func difference(_ got: Frame, _ expected: Frame) -> String {
    var words = "got:\n\(got.plainText)\nexpected:\n\(expected.plainText)"
    for row in 0..<max(got.lines.count, expected.lines.count) {
        let lines = [got, expected].map { row < $0.lines.count ? $0.lines[row] : nil }
        if lines[0] != lines[1] { words += "\nline \(row): \(lines[0]?.spans ?? []) is not \(lines[1]?.spans ?? [])" }
    }
    if got.cursor != expected.cursor { words += "\ncursor: \(got.cursor as Any) is not \(expected.cursor as Any)" }
    return words
}
