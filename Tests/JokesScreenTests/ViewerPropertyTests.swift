import Diffable
import JokesCore
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct ViewerPropertyTests {
    @Test("after any keys and snapshots, the screen is complete and the cursor is visible")
    func invariants() throws {
        try checkProperty("viewer", cases: 600, maxSize: 24, generate: steps, shrink: shorterBySteps) { steps in
            var play = Play(columns: 40, rows: 12)
            for step in steps {
                try play.perform(step)
                try checkWhole(play)
            }
        }
    }

    @Test("after any keys and differences, the screen equals one drawn from the last snapshot alone")
    func fromScratch() throws {
        try checkProperty("from scratch", cases: 600, maxSize: 24, generate: steps, shrink: shorterBySteps) { steps in
            var play = Play(columns: 40, rows: 12)
            var received = Received()
            for step in steps {
                try play.perform(step)
                received.take(step, shownBy: play.model)
                let (followed, drawn) = (view(play.model), view(try play.model.redrawn(from: received)))
                try verify(followed == drawn, difference(followed, drawn))
            }
        }
    }

    @Test("after any search, filter, paging, favorites, notes and undo, the viewer shows the daemon's snapshot")
    func agreement() throws {
        let keys: [Key] =
            "/1234509nNGGkjjxfuulFUc][e*mA ".map { .character($0) } + [.enter, .enter, .escape, .backspace, .pageDown]
        try checkProperty("agreement", cases: 200, maxSize: 40) { random, size in
            (0..<size).map { _ in
                (keys[random.int(in: 0..<keys.count)], random.chance(1, in: 2), random.chance(1, in: 2))
            }
        } property: { steps in
            var (play, daemon) = (Play(columns: 60, rows: 14), AnsweringDaemon())
            if let snapshot = try daemon.nextSnapshot() { play.happen(snapshot) }
            for (key, hasAnswer, hasSnapshot) in steps {
                play.press(key)
                for effect in play.takeEffects() { daemon.perform(effect) }
                if hasAnswer, let answer = daemon.nextAnswer() { play.happen(answer) }
                if hasSnapshot, let snapshot = try daemon.nextSnapshot() { play.happen(snapshot) }
                try checkWhole(play)
            }
            try daemon.settle(&play)
            try verify(
                play.model.watched == daemon.view, "the viewer requests \(play.model.watched) and gets \(daemon.view)")
            try verify(play.model.isSettled, "the viewer waits for a snapshot that it has")
            try verify(try play.model.snapshot == daemon.snapshot, "the shown snapshot is not that of \(daemon.view)")
        }
    }

    private func checkWhole(_ play: Play) throws {
        let (model, frame) = (play.model, view(play.model))
        try verify(frame.lines.count == model.size.rows, "\(frame.lines.count) lines on \(model.size)")
        for line in frame.lines {
            try verify(line.columns == model.size.columns, "\(line.columns) columns on \(model.size)")
        }
        let hasRows = (model.snapshot?.numberOfSections ?? 0) > 0
        try verify((model.cursor != nil) == hasRows && (model.top != nil) == hasRows, "the cursor is lost")
        guard hasRows, model.page == nil else { return }
        try verify(frame.lines.contains { $0.isSelected }, "the cursor is off the screen")
        // In a narrow list, the indented lines of a row may look blank.
        guard model.layout.list.columns >= 10 else { return }
        let begins = play.firstRow.map { Anchor(row: $0, line: 0) }
        let list = play.list.split(separator: "\n", omittingEmptySubsequences: false)
        if list.last != "" || model.top == begins { return }
        // The line below the header of an empty section is blank, and its hint may be below the screen.
        var further = play
        further.happen(.mouse(MouseEvent(.wheelDown, play.position(0, 0))))
        let isBelowHeader = list.dropLast().last?.hasPrefix("\u{25BE}") ?? false
        let hasHint = further.list.split(separator: "\n").last?.hasPrefix("  ") ?? false
        try verify(
            isBelowHeader && hasHint,
            "there is a gap below the list, although rows are above the screen:\n\(frame.plainText)")
    }
}
