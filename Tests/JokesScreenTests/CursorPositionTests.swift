import Terminal
import Testing

@testable import JokesScreen

/// The cursor of the terminal, which magnifiers and braille displays follow.
@Suite struct CursorPositionTests {
    @Test("the cursor is at the start of the selected row, hidden; in a prompt, it is shown at the end of the text")
    func position() throws {
        for (columns, rows) in [(80, 24), (120, 30), (40, 12), (20, 5)] {
            var play = Play(columns: columns, rows: rows)
            play.happen(.changed(try snapshot()))
            for keys in ["", "j", "j", "G", "s", "q", "F", "j", "q"] {
                play.type(keys)
                if keys == "s" { play.happen(.answered(.sources, .sources(someSources))) }
                if keys == "F" { play.happen(.answered(.statistics, .statistics(someCounts))) }
                let (frame, line) = (view(play.model), try #require(play.cursorLine))
                #expect(frame.cursor == play.position(0, line) && !frame.showsCursor, "\(keys) at \(columns)")
            }
            play.type("/")
            #expect(view(play.model).cursor == Position(column: 1, row: rows - 1) && view(play.model).showsCursor)
        }
    }

    @Test("without a selected row, the cursor is at the start of the text")
    func unselected() throws {
        var play = Play()
        #expect(view(play.model).cursor == play.position(0, 0))
        play.happen(.changed(try snapshot()))
        play.type("?")
        #expect(view(play.model).cursor == play.position(0, 0))
    }
}
