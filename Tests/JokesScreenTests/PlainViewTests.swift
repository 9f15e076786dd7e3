import Diffable
import JokesCore
import JokesProtocol
import Terminal
import Testing

@testable import JokesScreen

/// The lines of `jokes-tui --plain`.
@Suite struct PlainViewTests {
    /// A viewer that collects the lines of each step.
    private struct PlainPlay {
        var play = Play()
        var view = PlainView()
        var lines: [String] = []

        mutating func happen(_ messages: Message...) {
            for message in messages {
                let old = play.model
                play.happen(message)
                let byKey = if case .input = message { true } else { false }
                lines += view.lines(of: play.model, since: old, byKey: byKey)
            }
        }

        mutating func type(_ text: String) {
            for character in text { happen(.key(.character(character))) }
        }

        mutating func answer(_ answer: Answer = .done, _ snapshot: JokeSnapshot? = nil) {
            guard case .answer(let request) = play.model.waiting?.awaited else { return }
            happen(.answered(request, answer))
            if let snapshot = snapshot ?? play.model.snapshot { happen(.changed(snapshot)) }
        }

        mutating func takeLines() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    @Test("the first joke, each selected joke and each punchline are printed once")
    func reads() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot(favorites: [favorite("dad:c", "Kept.")])))
        #expect(plain.takeLines().first == "Jokes, 6.")
        plain.type("kk")
        #expect(plain.takeLines().suffix(3) == ["Favorites, 1.", "Kept.", "Number 1, dad, Pun, favorite."])
        plain.type("j")
        #expect(plain.takeLines() == ["Jokes, 6."])
        plain.type("j")
        #expect(
            plain.takeLines() == [
                "Why did the thread cross the road?", "Enter alone shows the punchline.",
                "Number 1, official, Programming.",
            ])
        plain.happen(.key(.enter))
        #expect(plain.takeLines() == ["To get to the other core."])
        plain.happen(.key(.enter))
        #expect(plain.takeLines() == ["Enter alone shows the punchline."])
        plain.type("kk")
        #expect(plain.takeLines() == ["Jokes, 6.", "Favorites, 1.", "Kept.", "Number 1, dad, Pun, favorite."])
        plain.happen(.changed(try snapshot(favorites: [favorite("dad:c", "Kept.")])))
        #expect(plain.takeLines() == [])
    }

    @Test("a joke says that it is unseen, but not that it was seen while it was read")
    func seen() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot(jokes: [joke("t:1", "One.", isSeen: false)])))
        #expect(plain.takeLines().last == "Number 1, t, Pun, unseen.")
        plain.happen(.changed(try snapshot(jokes: [joke("t:1", "One.")])))
        #expect(plain.takeLines() == [])
    }

    @Test("a new number of jokes is printed")
    func newJokes() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot(jokes: numbered(3..<6))))
        _ = plain.takeLines()
        plain.happen(.changed(try snapshot(jokes: numbered(0..<6))))
        #expect(plain.takeLines() == ["Jokes, 6.", "Number 4, t, Pun."])
    }

    @Test("if Enter has another action, the key that shows the punchline is named")
    func reboundEnter() throws {
        let settings = try Settings(Array(#"{"keys": {"search": "enter", "reveal": "v"}}"#.utf8), file: "tui.json")
        var plain = PlainPlay(play: Play(keys: settings.keys))
        plain.happen(.changed(try snapshot()))
        plain.type("j")
        #expect(plain.takeLines().contains("v shows the punchline."))
        #expect(plainGreeting(settings.keys)[0].contains("v shows the punchline."))
    }

    @Test("a search, a page, a notice and a lost connection are printed")
    func others() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot()))
        _ = plain.takeLines()
        plain.type("/du")
        plain.happen(.changed(try found("du", ["duck", "dusk"])))
        #expect(
            plain.takeLines() == [
                "Search: ", "Search: d", "Search: du", "2 jokes found for 'du'.", "A duck joke.", "Number 1, t.",
            ])
        plain.happen(.key(.escape))
        plain.type("?")
        #expect(plain.takeLines().first == "Help")
        plain.type("q")
        plain.type("n")
        #expect(plain.takeLines().last == "No unseen jokes here")
        plain.happen(.unreachable(reason: "No daemon answers.", hint: "Start jokesd.", retryAt: noon))
        #expect(plain.takeLines() == ["Daemon unreachable.", "No daemon answers.", "Start jokesd."])
    }

    @Test("the text of a note, an unseen joke and the set filters are printed")
    func notes() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot(jokes: [joke("dad:b", "A joke.", isSeen: false)])))
        #expect(plain.takeLines() == ["Jokes, 1.", "A joke.", "Number 1, dad, Pun, unseen."])
        plain.type("ex")
        #expect(plain.takeLines() == ["Note: ", "Enter saves, escape cancels.", "Note: x"])
        plain.happen(.key(.escape))
        plain.type("F")
        plain.happen(.answered(.statistics, .statistics(someCounts)))
        plain.type("j ")
        let lines = plain.takeLines().drop { $0 != "all jokes 446" }
        #expect(lines.prefix(2) == ["all jokes 446", "selected: unseen only 32"] && !lines.contains("Show"))
    }

    @Test("a new favorite, a hidden joke and a folded section are confirmed, and nothing is printed twice")
    func confirms() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot()))
        _ = plain.takeLines()
        plain.type("f")
        #expect(plain.takeLines() == [])
        var first = someJokes[0]
        if case .joke(var joke) = first {
            joke.isFavorite = true
            first = .joke(joke)
        }
        plain.answer(.done, try snapshot(jokes: [first] + someJokes.dropFirst()))
        #expect(plain.takeLines() == ["Favorite added; u undoes"])
        plain.type("f")
        plain.answer(.done, try snapshot())
        #expect(plain.takeLines() == ["Favorite removed; u undoes"])
        plain.type("x")
        plain.answer(.done, try snapshot(jokes: Array(someJokes.dropFirst())))
        #expect(
            plain.takeLines().prefix(3) == [
                "Hidden; u undoes", "Jokes, 5.", "I had a joke about an empty queue, but nobody was waiting for it.",
            ])
        plain.happen(.key(.tab), .key(.tab))
        #expect(
            plain.takeLines() == [
                "Jokes, 5, folded.", "Jokes, 5.",
                "I had a joke about an empty queue, but nobody was waiting for it.", "Number 1, dad, Pun.",
            ])
    }

    @Test("on a page with rows, only new lines and the selected row are printed, and the time alone is no news")
    func rows() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot()))
        plain.type("s")
        plain.happen(.answered(.sources, .sources(someSources)))
        _ = plain.takeLines()
        let old = plain.play.model
        plain.play.model.clock = LocalClock(now: noon.advanced(by: .seconds(3600)), offset: 3600)
        plain.play.type("j")
        let row = plain.view.lines(of: plain.play.model, since: old, byKey: true)
        #expect(row.first?.hasPrefix("jokeapi ") == true && !row.contains { $0.hasPrefix("official") }, "\(row)")
        plain.type("qU")
        plain.happen(
            .answered(
                .hidden(cursor: nil),
                .hidden(
                    HiddenMethod.Reply(
                        hidden: ["a", "b", "c"].map { hiddenJoke("t:\($0)", "Joke \($0).") }, total: 3, notCached: 0,
                        next: nil))))
        _ = plain.takeLines()
        plain.type("x")
        plain.answer()
        #expect(plain.takeLines() == ["Shown again; u undoes"])
        plain.happen(
            .answered(
                .hidden(cursor: nil),
                .hidden(
                    HiddenMethod.Reply(
                        hidden: ["b", "c"].map { hiddenJoke("t:\($0)", "Joke \($0).") }, total: 2, notCached: 0,
                        next: nil))))
        #expect(plain.takeLines() == ["Joke b. 13:00"])
        plain.type("f")
        plain.answer()
        #expect(plain.takeLines() == ["Favorite added; u undoes"])
    }

    @Test("the help is printed in one column, and a key without an action is named")
    func help() throws {
        var plain = PlainPlay()
        plain.happen(.changed(try snapshot()))
        plain.type("?")
        #expect(plain.takeLines().contains("q ^C ZZ :q back, or quit"))
        plain.type("H")
        #expect(plain.takeLines() == ["H has no action; ? lists the keys"])
        plain.type("/clipboard")
        let lines = plain.takeLines()
        #expect(lines.contains("Search: clipboard") && lines.contains("y copy to the clipboard"))
    }

    @Test("a line is the key of a name, or one key for each character")
    func keysOfLines() {
        #expect(keys(ofLine: "", isText: false) == [.enter])
        #expect(keys(ofLine: "escape", isText: false) == [.escape] && keys(ofLine: "escape", isText: true) == [.escape])
        #expect(keys(ofLine: "^F", isText: false) == [.control("f")])
        #expect(keys(ofLine: "^F", isText: true) == [.character("^"), .character("F")])
        #expect(keys(ofLine: "/ab", isText: false) == [.character("/"), .character("a"), .character("b")])
    }

    @Test("a word is not a series of keys, unless its first key opens a prompt")
    func words() throws {
        var play = Play()
        // Without a joke, `e` opens no prompt.
        for word in ["jj", "wrong", "Hide", "eH"] {
            let refusal = play.model.refusal(ofLine: word, keys(ofLine: word, isText: false))
            #expect(refusal == "\(word) is not a key; ? lists the keys")
        }
        for line in ["j", "escape", "/duck", "", "5j", "12G", "ZZ", ":q"] {
            #expect(play.model.refusal(ofLine: line, keys(ofLine: line, isText: false)) == nil)
        }
        play.type("/")
        #expect(play.model.refusal(ofLine: "duck", keys(ofLine: "duck", isText: true)) == nil)
    }
}
