import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct DetailTests {
    private let received = joke("t:told", "Setup?", "Punch.")

    @Test("p shows or hides the details, with the list if there is room, else in its place")
    func toggled() throws {
        for (size, isShownAtFirst) in [
            (Size(columns: 100, rows: 10), true), (Size(columns: 99, rows: 16), false),
            (Size(columns: 99, rows: 15), false),
        ] {
            var play = try Play(columns: size.columns, rows: size.rows, showing: snapshot(jokes: [received]))
            let first = play.screen
            #expect(first.contains("space shows") == isShownAtFirst)
            play.type("p")
            #expect(play.screen.contains("space shows") != isShownAtFirst)
            play.type("p")
            #expect(play.screen == first)
        }
    }

    @Test("on a narrower screen, the details are a popup that follows the cursor, which stays visible")
    func popup() throws {
        var play = try Play(columns: 80, rows: 24, showing: snapshot(jokes: numbered(0..<60)))
        play.type("p")
        for (key, number) in [("j", 1), ("j", 2), ("G", 59), ("k", 58), ("7g", 6)] {
            play.type(key)
            #expect(play.model.cursor == row(number) && play.screen.contains(" id         t:\(number) "))
            #expect(view(play.model).lines.contains { $0.isSelected })
        }
        play.type("f")
        #expect(play.takeEffects().last == .send(.favorite(JokeID(rawValue: "t:6"), isFavorite: true)))
        play.type("q")
        #expect(play.model.page == nil)
    }

    @Test("the details follow the cursor, and hide the punchline until it is revealed")
    func follows() throws {
        var play = try Play(columns: 120, rows: 10, showing: snapshot(jokes: [received] + numbered(1..<3)))
        #expect(play.screen.contains("space shows the punchline") && !play.screen.contains("Punch."))
        play.type(" ")
        #expect(play.screen.split(separator: "\n").count { $0.contains("Punch.") } >= 1)
        #expect(!play.screen.contains("space shows"))
        play.type("j")
        #expect(play.screen.contains("t:1") && !play.screen.contains("t:told"))
    }

    @Test(
        "the facts are on one line below the joke, then come the details, the favorite and its note, which is not muted"
    )
    func facts() throws {
        let content = JokeContent(
            text: .twoPart(setup: "Setup?", punchline: "Punch."), language: "en", categories: ["Pun", "Work"],
            flags: [.nsfw], safety: .unsafe, details: JokeDetails(url: "https://jokes.example/1", author: "Ann"))
        let kept = Favorite(id: JokeID(rawValue: "dad:1"), content: content, favoritedAt: noon, note: "Mine.")
        for columns in [160, 100] {
            var play = Play(columns: columns, rows: 24)
            play.happen(.changed(try snapshot(favorites: [.favorite(kept)], jokes: [received])))
            play.type("gj")
            let width = columns - 1 - play.model.layout.list.columns
            let lines = play.screen.split(separator: "\n").map { line in
                line.suffix(width).dropFirst().dropLast().split(separator: " ").joined(separator: " ")
            }
            let start = try #require(lines.firstIndex { $0.hasPrefix("\u{2605} Pun, Work \u{B7} dad") })
            #expect(lines[start - 2] == "space shows the punchline")
            let facts = lines[start...].prefix { !$0.isEmpty }.joined(separator: " \u{B7} ")
            #expect(facts == "\u{2605} Pun, Work \u{B7} dad \u{B7} en \u{B7} unsafe (nsfw) \u{B7} first seen 13:00")
            let rest = ["author Ann", "url https://jokes.example/1", "id dad:1", "favorite since 13:00", "note Mine."]
            #expect(
                lines[start...].filter { !$0.isEmpty }.joined(separator: "\n").contains(rest.joined(separator: "\n")))
            let note = view(play.model).lines.flatMap(\.spans).first { $0.text.contains("Mine.") }
            #expect(note?.style == .plain)
        }
    }

    @Test("long details scroll to their end, and those of another joke start at the top")
    func scrolled() throws {
        let long = joke("t:long", (1...40).map { "line \($0)" }.joined(separator: "\n"))
        var play = try Play(columns: 120, rows: 12, showing: snapshot(jokes: [long] + numbered(0..<3)))
        #expect(play.screen.contains("J scrolls") && !play.screen.contains("first seen"))
        for _ in 0..<100 { play.type("J") }
        #expect(play.screen.contains("first seen") && !play.screen.contains("J scrolls"))
        play.type("j")
        #expect(play.screen.contains("Joke number 0."))
        play.type("k")
        #expect(play.showsLine("line 1"))
        play.type("JJK")
        #expect(play.showsLine("line 2") && !play.showsLine("line 1"))
    }

    @Test("the details of each row of a favorite show its note and time")
    func noted() throws {
        let kept = Favorite(
            id: JokeID(rawValue: "t:0"), content: JokeContent(text: .single("Kept.")), favoritedAt: noon, note: "Mine.")
        var play = Play(columns: 120, rows: 20)
        play.happen(.changed(try snapshot(favorites: [.favorite(kept)], jokes: numbered(0..<2))))
        for keys in ["gj", "jj"] {
            play.type(keys)
            #expect(play.screen.contains("Mine.") && play.screen.contains("since 13:00"))
        }
        play.type("j")
        #expect(!play.screen.contains("Mine."))
    }

    @Test("the details of a favorite say why it is not shown, and a new snapshot renews the reason")
    func excluded() throws {
        let kept = Favorite(
            id: JokeID(rawValue: "t:kept"), content: JokeContent(text: .single("Kept.")), favoritedAt: noon)
        let changed = Message.changed(try snapshot(favorites: [.favorite(kept)], jokes: numbered(0..<2)))
        var play = Play(columns: 120, rows: 20)
        play.happen(changed)
        play.type("gj")
        #expect(play.takeEffects() == [.send(.joke(kept.id))])
        play.happen(.answered(.joke(kept.id), .notShown("hidden; jokesctl unhide t:kept")))
        #expect(play.screen.contains("not shown") && play.screen.contains("jokesctl unhide t:kept"))
        play.type("jkjj")
        #expect(!play.screen.contains("not shown"))
        play.happen(changed)
        #expect(play.takeEffects().isEmpty)
        play.type("ggj")
        #expect(play.takeEffects() == [.send(.joke(kept.id))])
        play.happen(.answered(.joke(kept.id), .notShown(nil)))
        #expect(play.screen.contains("t:kept") && !play.screen.contains("not shown"))
    }
}

extension Play {
    /// True if a line of the screen ends with this text.
    fileprivate func showsLine(_ text: String) -> Bool {
        screen.split(separator: "\n").contains { $0.hasSuffix(" \(text)") }
    }
}
