import Glibc
import JokesCore
import Terminal
import TerminalSupport
import TestSupport
import Testing
import TextLayout

@testable import JokesScreen

/// The content of the terminal depends only on the last frame.
@Suite(.serialized) struct PaintedScreenTests {
    @Test(
        "after any keys and differences, the terminal has the same content as after painting only the last screen"
    )
    func emulated() async throws {
        var random = SplitMix64(seed: testSeed)
        let rounds = scaled(100)
        for number in 0..<rounds {
            let played = try PlayedScreens(steps(&random, size: 1 + number * 25 / rounds))
            let followed = try await emulated(played.frames)
            let drawn = try await emulated([played.fromScratch])
            let report = played.report(number)
            try verify(
                followed.unexpectedOutput + drawn.unexpectedOutput == [],
                "\(followed.unexpectedOutput + drawn.unexpectedOutput)\n\(report)")
            try verify(drawn.text == played.fromScratch.plainText, "\(drawn.text)\n\(report)")
            try verify(followed.rows == drawn.rows, "\(followed.text)\nis not\n\(drawn.text)\n\(report)")
        }
    }

    @Test("on a terminal of a few cells, no other output is in the middle of a sequence of ncurses")
    func fewCells() async throws {
        for (columns, rows) in [(8, 1), (1, 1), (30, 1), (9, 2), (20, 3)] {
            let played = try PlayedScreens([.message(.resized(Size(columns: columns, rows: rows)))])
            #expect(try await emulated(played.frames).unexpectedOutput == [], "\(columns) x \(rows)")
        }
    }

    /// Paints the frames on an emulated terminal, with a screen of their own.
    private func emulated(_ frames: [Frame]) async throws -> TerminalScreen {
        let first = frames[0].size
        let terminal = try PseudoTerminal(columns: first.columns, rows: first.rows)
        var snapshot = TerminalScreen(.xterm, columns: first.columns, rows: first.rows) { $0.columns }
        let owner = try ScreenOwner(of: terminal.terminal)
        try await owner.begin()
        var size = first
        for frame in frames {
            if frame.size != size {
                size = frame.size
                try terminal.resize(columns: size.columns, rows: size.rows)
                snapshot.resize(columns: size.columns, rows: size.rows)
                await owner.signal(SIGWINCH)
                try #require(owner.events.take() == .resized(size))
            }
            await owner.paint(frame)
            // Frames contain no bell, so this one marks the end of their bytes.
            try await owner.ring()
            snapshot.process(Array(try terminal.read(until: "\u{7}").utf8).dropLast())
        }
        await owner.end()
        return snapshot
    }

    @Test(
        "the category and the source are beside the first line of a row if the list has room, in the color of the source"
    )
    func origins() throws {
        let text =
            "A joke of some words that is longer than a line of this list, so that the words go on below the names."
        for (columns, names) in [(79, ["Pun", "dad"]), (78, ["dad"]), (59, ["dad"]), (58, [])] {
            var play = Play(columns: columns, rows: 20)
            play.happen(
                .changed(try snapshot(jokes: [joke("dad:1", text, isSeen: false), joke("dad:2", text, isSeen: true)])))
            let rows = play.screen.split(separator: "\n").dropFirst().map { line in
                line.dropFirst().dropLast().split(separator: " ").map { String($0) }
            }
            #expect(rows[0].suffix(names.count) == names[...])
            let words = rows[0].dropLast(names.count) + rows.dropFirst().prefix { $0.first != "A" }.joined()
            #expect(words.joined(separator: " ") == text)
            let lines = view(play.model).lines.filter { $0.plainText.contains(" dad") }
            let roles = lines.map { line in line.spans.first { $0.text.contains("dad") }?.style.role }
            #expect(roles == (names.isEmpty ? [] : [.name("dad"), .muted]))
        }
    }
}

/// The screens of a sequence of steps.
private struct PlayedScreens {
    private let steps: [Step]
    let frames: [Frame]
    /// The last screen, drawn by a model without the earlier ones.
    let fromScratch: Frame

    init(_ steps: [Step]) throws {
        var play = Play(columns: 40, rows: 12)
        var frames = [view(play.model)]
        var received = Received()
        for step in steps {
            try play.perform(step)
            received.take(step, shownBy: play.model)
            frames.append(view(play.model))
        }
        self.steps = steps
        self.frames = frames
        fromScratch = view(try play.model.redrawn(from: received))
    }

    func report(_ number: Int) -> String {
        "case \(number) with JOKESD_TEST_SEED=\(testSeed): \(steps)"
    }
}

extension Frame {
    fileprivate var size: Size {
        Size(columns: lines[0].columns, rows: lines.count)
    }
}
