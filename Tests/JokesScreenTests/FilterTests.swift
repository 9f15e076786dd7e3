import JokesCore
import JokesProtocol
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct FilterTests {
    private func play(_ jokes: [Item] = someJokes) throws -> Play {
        try Play(columns: 80, rows: 24, showing: snapshot(jokes: jokes))
    }

    private func watching(
        source: NameSelection? = nil, category: NameSelection? = nil, language: NameSelection? = nil,
        unseen: Bool? = nil, query: String? = nil
    ) -> [Effect] {
        let selection = JokeSelection(source: source, category: category, language: language, unseen: unseen)
        return [.send(.watch(View(query: query, selection: selection)))]
    }

    @Test("space sets entries and removes them again, H excludes entries, and the groups combine")
    func toggles() throws {
        var play = try play()
        play.openFilters()
        _ = play.takeEffects()
        play.type("j ")
        #expect(play.takeEffects() == watching(unseen: true))
        play.type("j ")
        #expect(play.takeEffects() == watching(source: "official", unseen: true))
        play.type("j ")
        #expect(play.takeEffects() == watching(source: NameSelection(only: ["official", "dad"]), unseen: true))
        #expect(play.screen.ranges(of: "●").count == 3)
        play.type("x")
        #expect(
            play.takeEffects() == watching(source: NameSelection(only: ["official"], not: ["dad"]), unseen: true))
        #expect(play.screen.contains("● official") && play.screen.contains("× dad"))
        play.type("xk ")
        #expect(play.takeEffects() == watching(source: "official", unseen: true) + watching(unseen: true))
        play.type("jj")
        play.press(.enter)
        play.type("Gl")
        #expect(
            play.takeEffects() == watching(category: "Pun", unseen: true)
                + watching(category: "Pun", language: "und", unseen: true))
        play.type("g ")
        #expect(play.takeEffects() == watching(category: "Pun", language: "und"))
    }

    @Test("the header names the filters on the list and on the random page, and a search keeps them")
    func named() throws {
        var play = try play()
        play.openFilters()
        play.type("jj j kk jjjx")
        play.type("q")
        #expect(play.screen.contains("─ Jokes 1/6 │ Random │ Sources [official, dad] [not Pun] [unseen] ─"))
        play.type("Fgjj jjx")
        play.type("q")
        _ = play.takeEffects()
        play.type("/du")
        #expect(play.takeEffects().last == watching(source: "dad", unseen: true, query: "du").first)
        play.happen(.changed(try found("du", ["duck", "duel"])))
        #expect(play.screen.contains("─ Found 1/2 │ Random │ Sources [dad] [unseen] ─"))
        play.press(.escape)
        _ = play.takeEffects()
        play.type("z")
        #expect(play.takeEffects() == [.send(.random(JokeSelection(source: "dad", unseen: true)))])
        #expect(play.screen.contains("Random │ Sources [dad] [unseen] ─"))
    }

    @Test("/ on the page finds filters by their names, and Escape lists all again")
    func names() throws {
        var play = try play()
        play.openFilters()
        let before = play.list
        play.type("/dad")
        #expect(play.list.contains("○ dad") && !play.list.contains("○ official") && play.screen.contains("1 found"))
        play.press(.enter)
        play.type(" ")
        #expect(play.model.selection.source?.only == ["dad"])
        play.type(" ")
        play.press(.escape)
        play.happen(.changed(try snapshot()))
        #expect(play.list == before)
        play.search("nosuch")
        play.type(" ")
        #expect(play.model.selection == JokeSelection())
    }

    @Test("the list changes behind the page, and the cursor stays on its joke if the filters select it")
    func cursor() throws {
        var play = try play()
        play.type("jj")
        let cursor = play.model.cursor
        play.openFilters()
        play.type("jjj ")
        play.happen(.changed(try snapshot(jokes: Array(someJokes[1...2]))))
        #expect(play.model.cursor == cursor && play.screen.contains("2 jokes"))
        play.type(" ")
        play.happen(.changed(try snapshot()))
        play.type("q")
        #expect(play.model.cursor == cursor)
    }

    @Test("a filter shows the first jokes that it selects, and no window is requested for the old place of the cursor")
    func windows() throws {
        func page(_ numbers: Range<Int>, of shown: Int) throws -> Message {
            let header = JokesHeader(shown: shown, lastSync: noon, start: numbers.lowerBound)
            return .changed(try snapshot(jokes: numbered(numbers), header: header))
        }
        var play = Play(columns: 80, rows: 24)
        play.happen(try page(1000..<1300, of: 4000))
        play.openFilters()
        _ = play.takeEffects()
        play.type("jj ")
        #expect(play.takeEffects() == watching(source: "official"))
        // The cursor was on joke 1000, which the filter excludes.
        play.happen(try page(0..<300, of: 900))
        #expect(play.model.cursor == row(0) && play.takeEffects() == [.send(.statistics)])
    }

    @Test("c clears all filters, on the page and on the list")
    func cleared() throws {
        var play = try play()
        play.type("c")
        #expect(play.screen.hasSuffix("No filter is set; F sets one") && play.takeEffects() == [])
        for key in ["", "q"] {
            play.openFilters()
            play.type("gjj G " + key)
            _ = play.takeEffects()
            play.type("c")
            #expect(play.takeEffects() == watching())
            #expect(play.screen.hasSuffix("Filter cleared: official · unknown"))
            #expect(play.screen.ranges(of: "●").count == (key == "q" ? 0 : 1))
            if key != "q" { play.type("q") }
        }
    }

    @Test("an empty list names the filters and the key that clears them, with and without a search")
    func empty() throws {
        for query in ["", "/du"] {
            var play = try play()
            play.openFilters()
            play.type("jjj q" + query)
            #expect(!play.screen.contains("No jokes"))
            play.happen(.changed(query == "" ? try snapshot(jokes: []) : try found("du", [])))
            #expect(play.screen.contains("filter: dad. c clears the filter"))
            if query == "" { play.type("c") }
            #expect(play.screen.contains("c clears") == (query != ""))
        }
    }

    @Test("a source that no longer exists stays in its group until its filter is removed")
    func gone() throws {
        var play = try play()
        play.openFilters()
        play.type("jjj ")
        var fewer = someCounts
        fewer.sources.remove(at: 1)
        play.happen(.changed(try snapshot(jokes: [])))
        play.happen(.answered(.statistics, .statistics(fewer)))
        #expect(play.screen.contains("● dad "))
        _ = play.takeEffects()
        play.type(" ")
        #expect(play.takeEffects() == watching())
        #expect(!play.screen.contains("dad"))
    }

    @Test("the same entry stays selected if the order of the entries changes")
    func reordered() throws {
        var play = try play()
        play.openFilters()
        play.type("jjj")
        var other = someCounts
        other.sources.reverse()
        play.happen(.changed(try snapshot()))
        play.happen(.answered(.statistics, .statistics(other)))
        _ = play.takeEffects()
        play.type(" ")
        #expect(play.takeEffects() == watching(source: "dad"))
    }
}

/// The numbers of jokes with several sources, categories and languages.
let someCounts = StatisticsMethod.Reply(
    jokes: 446, unseen: 32, favorites: 2, served: 512,
    sources: [
        NameCount(name: "official", jokes: 405, unseen: 20), NameCount(name: "dad", jokes: 41, unseen: 12),
    ],
    categories: [
        NameCount(name: "Pun", jokes: 300, unseen: 31), NameCount(name: "Programming", jokes: 40, unseen: 1),
    ],
    languages: [
        NameCount(name: "en", jokes: 400, unseen: 30), NameCount(name: "en-gb", jokes: 6, unseen: 2),
        NameCount(name: "und", jokes: 40, unseen: 0),
    ])

let hostileCounts = StatisticsMethod.Reply(
    jokes: .max, unseen: .min, favorites: 0, served: 0,
    sources: [NameCount(name: "evil\u{1B}[2J\n\u{202E}x", jokes: .max, unseen: .max)],
    categories: [NameCount(name: String(repeating: "日", count: 200), jokes: -1, unseen: 0)],
    languages: [NameCount(name: "", jokes: 1, unseen: 0)])
