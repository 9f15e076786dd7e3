import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct MouseTests {
    private func playWithJokes(rows: Int = 24) throws -> Play {
        try Play(columns: 80, rows: rows, showing: snapshot(favorites: [favorite("dad:c", "Starred.")]))
    }

    private func click(_ play: inout Play, row: Int, after pause: Duration = .zero) {
        play.model.clock.now = play.model.clock.now.advanced(by: pause)
        play.happen(.mouse(MouseEvent(.click, play.position(5, row))))
    }

    @Test("a click on any line of a row or header selects it")
    func selects() throws {
        var play = try playWithJokes()
        let lines = play.list.split(separator: "\n")
        let first = try #require(lines.firstIndex { $0.contains("A manager, a tester") })
        click(&play, row: first + 1)
        #expect(play.cursorLine == first)
        click(&play, row: 0)
        #expect(play.cursorLine == 0)
    }

    @Test("a click below the last row, on the status line or outside the screen does nothing")
    func outside() throws {
        var play = try playWithJokes()
        let before = play.model
        for row in [20, 23, 24, 5000] { click(&play, row: row) }
        #expect(play.model == before)
    }

    @Test("a double click reveals a punchline or folds a section; a late second click does not")
    func doubleClick() throws {
        var play = try playWithJokes()
        click(&play, row: 3)
        click(&play, row: 3, after: .milliseconds(900))
        #expect(!play.screen.contains("To get to the other core."))
        click(&play, row: 3, after: .milliseconds(200))
        #expect(play.screen.contains("To get to the other core."))
        // The third belongs to no pair.
        click(&play, row: 3, after: .milliseconds(200))
        #expect(play.screen.contains("To get to the other core."))
        click(&play, row: 0, after: .milliseconds(100))
        click(&play, row: 0, after: .milliseconds(100))
        #expect(play.list.hasPrefix("▸ Favorites"))
    }

    @Test("a double click on a partly visible row works although the row moves up")
    func halfShown() throws {
        for rows in 4..<12 {
            var play = try playWithJokes(rows: rows)
            while !play.screen.contains("A manager, a tester") {
                play.happen(.mouse(MouseEvent(.wheelDown, Position(column: 0, row: 0))))
            }
            let lines = play.list.split(separator: "\n", omittingEmptySubsequences: false)
            let line = try #require(lines.firstIndex { $0.contains("A manager, a tester") })
            click(&play, row: line)
            click(&play, row: line, after: .milliseconds(150))
            #expect(play.model.revealed == [someJokes[3].id], "\(rows) rows")
        }
    }

    @Test("a double click reveals the row of the first click although a new joke moved it")
    func movedRow() throws {
        var play = try playWithJokes()
        click(&play, row: 3)
        let jokes = [joke("t:new", "New.", "Newer.")] + someJokes
        play.happen(.changed(try snapshot(favorites: [favorite("dad:c", "Starred.")], jokes: jokes)))
        click(&play, row: 3, after: .milliseconds(100))
        #expect(play.model.revealed == [someJokes[0].id] && play.model.cursor == .item(someJokes[0].id))
    }

    @Test("if the row disappears before the second click, that click is the first on another row")
    func goneRow() throws {
        var play = try playWithJokes()
        click(&play, row: 3)
        play.happen(.changed(try snapshot(favorites: [favorite("dad:c", "Starred.")], jokes: [someJokes[2]])))
        click(&play, row: 3, after: .milliseconds(100))
        #expect(!play.screen.contains("The wait and signal."))
        click(&play, row: 3, after: .milliseconds(100))
        #expect(play.screen.contains("The wait and signal."))
    }
}
