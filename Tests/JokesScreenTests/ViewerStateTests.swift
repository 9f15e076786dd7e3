import Diffable
import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// The first row of the cursor, and what is remembered from one run to the next.
@Suite struct ViewerStateTests {
    private func favorites(_ count: Int) -> [Item] { (0..<count).map { favorite("f:\($0)", "Favorite \($0).") } }

    @Test("the cursor starts on the first joke; favorites that would fill the screen are folded")
    func start() throws {
        for (count, isFolded) in [(0, false), (3, false), (30, true)] {
            var play = Play(columns: 60, rows: 12)
            play.happen(.changed(try snapshot(favorites: favorites(count), jokes: numbered(0..<30))))
            #expect(play.model.cursor == row(0) && play.cursorLine != nil)
            #expect(play.model.folded == (isFolded ? [.favoriteJokes] : []))
        }
    }

    @Test("while the first jokes load, one row says from how many sources; then the cursor is on the first joke")
    func loading() throws {
        var play = try Play(columns: 60, rows: 12, showing: snapshot(loading: 10, jokes: []))
        #expect(play.list.ranges(of: "Loading").count == 1)
        play.happen(.changed(try snapshot(loading: 10, jokes: numbered(0..<3))))
        #expect(play.model.cursor == row(0))
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        #expect(!play.list.contains("Loading") && play.list.contains("Joke number 0."))
    }

    @Test("the filters, folded sections, line wrapping and the joke are those of the last run")
    func remembered() throws {
        var play = Play(columns: 60, rows: 12)
        let jokes = try snapshot(favorites: favorites(2), jokes: numbered(0..<30))
        play.happen(.changed(jokes))
        play.type("gw")
        play.press(.tab)
        play.type("7G")
        play.openFilters()
        play.type("jj q")
        let state = play.model.state
        var next = Play(columns: 60, rows: 12)
        #expect(next.model.restore(state) == [.send(.watch(View(selection: play.model.selection)))])
        next.happen(.changed(jokes))
        #expect(next.model.cursor == row(6) && next.model.folded == [.favoriteJokes] && !next.model.wrapsRows)
        #expect(next.model.selection == play.model.selection && next.model.state == state)
        // A value in tui.json counts more.
        _ = next.model.restore(state, wrap: true)
        #expect(next.model.wrapsRows)
    }

    @Test("if the joke of the last run is not among the newest, the cursor starts on the first joke and stays there")
    func notAmongTheNewest() throws {
        var state = ViewerState()
        state.joke = "t:400"
        for selection in [JokeSelection(), JokeSelection(unseen: true)] {
            state.selection = selection
            var play = Play(columns: 60, rows: 12)
            _ = play.model.restore(state)
            let header = JokesHeader(shown: 500, lastSync: noon)
            play.happen(.changed(try snapshot(jokes: numbered(0..<300), header: header)))
            #expect(play.model.cursor == row(0))
            play.happen(.changed(try snapshot(jokes: numbered(300..<500) + numbered(0..<100), header: header)))
            #expect(play.model.cursor == row(0))
        }
    }

    @Test("a bar shows which part of the list is on the screen, also of jokes that are not loaded")
    func scrollbar() throws {
        func bar(_ play: Play) -> [Int] {
            view(play.model).lines.enumerated().filter { $1.plainText.hasSuffix("\u{2590}") }.map(\.offset)
        }
        var play = try Play(columns: 60, rows: 22, showing: snapshot(jokes: numbered(0..<10)))
        #expect(bar(play).isEmpty)
        play.happen(.changed(try snapshot(jokes: numbered(0..<300), header: JokesHeader(shown: 5000))))
        #expect(bar(play) == [1])
        play.type("G")
        play.happen(
            .changed(try snapshot(jokes: numbered(4700..<5000), header: JokesHeader(shown: 5000, start: 4700))))
        #expect(bar(play) == [19])
        play.type("2500G")
        play.happen(
            .changed(try snapshot(jokes: numbered(2350..<2650), header: JokesHeader(shown: 5000, start: 2350))))
        #expect((9...11).contains(bar(play).first ?? 0))
    }
}
