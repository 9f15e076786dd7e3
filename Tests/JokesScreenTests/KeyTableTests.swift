import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct KeyTableTests {
    @Test("every action has a key and a line in the help, and no key has two actions")
    func complete() throws {
        let bindings = KeyTable.standard.bindings
        #expect(Set(bindings.map(\.action)) == Set(Action.allCases))
        let keys = bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        var play = Play(columns: 120, rows: 30)
        play.type("?")
        for binding in bindings { #expect(play.screen.contains(binding.summary)) }
    }

    @Test("the help shows changed keys")
    func rebound() {
        var model = Model(
            size: Size(columns: 40, rows: 10), clock: LocalClock(now: noon, offset: 0),
            keys: KeyTable(bindings: [
                KeyTable.Binding(.help, .program, [.character("H")], "help"),
                KeyTable.Binding(.quit, .program, [.control("q")], "leave"),
            ]))
        #expect(update(&model, .key(.character("q"))) == [])
        #expect(update(&model, .key(.control("q"))) == [.quit])
        #expect(update(&model, .key(.character("H"))) == [])
        #expect(view(model).plainText.contains("^Q"))
    }

    @Test("escape closes pages, the prompt and a search; elsewhere it performs its action")
    func escape() throws {
        for action in Action.allCases where action != .quit {
            let others = KeyTable.standard.bindings.filter { $0.action != action }
            var play = Play(
                keys: KeyTable(bindings: others + [KeyTable.Binding(action, .program, [.escape], "rebound")]))
            play.happen(.changed(try snapshot()))
            for page in "?s" where play.model.keys.action(for: .character(page)) != nil {
                play.type(String(page))
                try #require(play.model.page != nil)
                play.press(.escape)
                #expect(play.model.page == nil, "\(action)")
            }
            _ = play.takeEffects()
            if action == .search { play.press(.escape) } else { play.type("/") }
            play.type("du")
            play.press(.enter)
            try #require(play.model.search?.isTyping == false)
            play.press(.escape)
            #expect(play.model.search == nil, "\(action)")
            _ = play.takeEffects()
            play.press(.escape)
            if action == .suspend { #expect(play.takeEffects() == [.suspend]) }
            if action == .help { #expect(play.model.page?.kind == .help) }
        }
    }

    @Test("redraw, suspend and quit are effects")
    func effects() throws {
        var play = try Play(showing: snapshot())
        play.type("rq")
        play.press(.control("z"), .control("l"), .control("c"))
        #expect(play.takeEffects() == [.send(.refresh()), .quit, .suspend, .redraw, .quit])
    }

    @Test("when a refresh has ended, a notice says what came")
    func refreshed() throws {
        var play = try Play(columns: 70, rows: 6, showing: snapshot())
        play.happen(
            .answered(.refresh(), .refreshed(["official", "train"].map { RefreshedSource(name: $0, state: .started) })))
        play.happen(.changed(try snapshot(loading: 1)))
        #expect(play.takeEffects() == [])
        play.happen(.changed(try snapshot()))
        #expect(play.takeEffects() == [.send(.sources)])
        var sources = someSources
        sources[0].syncing = true
        play.happen(.answered(.sources, .sources(sources)))
        #expect(!play.screen.contains("new from"))
        play.happen(.changed(try snapshot()), .answered(.sources, .sources(someSources)))
        #expect(play.screen.hasSuffix(" 12 new from official, train failed"))
        play.happen(.changed(try snapshot()))
        #expect(play.takeEffects() == [.send(.sources)])
    }

    @Test("the notice of a refresh states its result")
    func refresh() throws {
        var play = try Play(columns: 70, rows: 6, showing: snapshot())
        for (states, words) in [
            ([RefreshedSource(name: "dad", state: .started)], "Refreshing dad"),
            (
                [RefreshedSource(name: "dad", state: .tooSoon, retryAfterMs: 90_000)],
                "dad: too soon to refresh; try again at 13:01:30"
            ),
            ([], "No source can be refreshed; s shows why"),
        ] {
            play.happen(.answered(.refresh(), .refreshed(states)))
            #expect(play.screen.hasSuffix(" " + words))
        }
        play.happen(.answered(.refresh(), .refused("The daemon is busy.")))
        #expect(play.screen.hasSuffix(" The daemon is busy."))
    }
}
