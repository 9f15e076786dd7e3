import Diffable
import JokesCore
import JokesScreen
import Terminal
import TestSupport
import Testing
import TextLayout

@Suite struct ViewerPropertyTests {
    @Test("after any keys and snapshots, the screen is complete and the cursor is visible")
    func invariants() throws {
        try checkProperty("viewer", cases: 600, maxSize: 24, generate: steps, shrink: shorterBySteps) { steps in
            var play = Play(columns: 40, rows: 12)
            for step in steps {
                try play.perform(step)
                try checkWhole(play.model)
                try checkTimers(of: play)
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
            "/1234509nNGGkjjHfuulFUc]e ".map { .character($0) } + [.enter, .enter, .escape, .backspace, .pageDown]
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
                try checkWhole(play.model)
            }
            var isDone = false
            while !isDone {
                for effect in play.takeEffects() { daemon.perform(effect) }
                let messages = [daemon.nextAnswer(), try daemon.nextSnapshot()].compactMap(\.self)
                for message in messages { play.happen(message) }
                isDone = messages.isEmpty
            }
            try verify(
                play.model.watched == daemon.view, "the viewer requests \(play.model.watched) and gets \(daemon.view)")
            try verify(!play.model.isAwaitingSnapshot, "the viewer waits for a snapshot that it has")
            try verify(try play.model.snapshot == daemon.snapshot, "the shown snapshot is not that of \(daemon.view)")
        }
    }

    private func checkTimers(of play: Play) throws {
        let model = play.model
        // A timer may run even if the screen no longer needs it.
        try verify(
            play.timers.contains(.arrivals) || model.arrivals.isEmpty, "new rows are highlighted without a timer")
        let awaiting = model.marks.values.contains { $0.calls.isEmpty }
        try verify(play.timers.contains(.marks) || !awaiting, "answered marks wait without a timer")
        let size = model.layout.list
        guard size.columns >= 10 else { return }
        let isLoading = view(model).lines.prefix(size.rows).contains { $0.plainText.hasPrefix("  Loading\u{2026}") }
        let shimmers = isLoading && model.page == nil && model.link == .live
        try verify(play.timers.contains(.shimmer) || !shimmers, "\(play.timers) for\n\(play.screen)")
    }

    private func checkWhole(_ model: Model) throws {
        let frame = view(model)
        try verify(frame.lines.count == model.size.rows, "\(frame.lines.count) lines on \(model.size)")
        for line in frame.lines {
            try verify(line.columns == model.size.columns, "\(line.columns) columns on \(model.size)")
        }
        let hasRows = (model.snapshot?.numberOfSections ?? 0) > 0
        try verify((model.cursor != nil) == hasRows && (model.top != nil) == hasRows, "the cursor is lost")
        guard hasRows, model.page == nil else { return }
        try verify(frame.lines.contains { $0.isSelected }, "the cursor is off the screen")
        let list = frame.lines.prefix(model.layout.list.rows)
        let begins = model.snapshot?.sectionIdentifiers.first.map { Anchor(row: .header($0), line: 0) }
        let isFilled = list.last.map { !$0.truncated(to: model.layout.list.columns).isBlank } ?? true
        // Scrolling does not go above a window.
        let isWindowAtTop = if case .above = model.top?.row { true } else { false }
        if isFilled || model.top == begins || isWindowAtTop { return }
        // The line below the header of an empty section is blank, and its hint may be below the screen.
        var further = model
        _ = update(&further, .mouse(MouseEvent(.wheelDown, Position(column: 0, row: 0))))
        try verify(
            further.top != model.top,
            "there is a gap below the list, although rows are above the screen:\n\(frame.plainText)")
    }
}

extension Line {
    fileprivate var isBlank: Bool { plainText.allSatisfy { $0 == " " } }
}
