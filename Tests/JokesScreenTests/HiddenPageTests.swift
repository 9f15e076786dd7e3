import JokesCore
import JokesProtocol
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct HiddenPageTests {
    private let first = JokeID(rawValue: "t:0")

    private func reply(_ numbers: Range<Int>, total: Int? = nil, notCached: Int = 0, next: String? = nil)
        -> HiddenMethod.Reply
    {
        HiddenMethod.Reply(
            hidden: numbers.map { hiddenJoke("t:\($0)", "Hidden number \($0).", "Punchline \($0).") },
            total: total ?? numbers.count, notCached: notCached, next: next)
    }

    private func play(_ answer: HiddenMethod.Reply? = nil, columns: Int = 60, rows: Int = 14) throws -> Play {
        var play = try Play(columns: columns, rows: rows, showing: snapshot())
        play.type("U")
        if let answer {
            play.happen(.answered(.hidden(cursor: nil), .hidden(answer)))
            _ = play.takeEffects()
        }
        return play
    }

    @Test("without hidden jokes, the page says which key hides one")
    func empty() throws {
        #expect(try play(reply(0..<0)).screen.contains("No hidden jokes. In the list, x hides the selected joke."))
    }

    @Test(
        "all jokes are loaded, one request after the other, up to 1,000 or an empty part; a reload keeps the selected one"
    )
    func pages() throws {
        var play = try play(rows: 40)
        _ = play.takeEffects()
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(0..<100, total: 250, next: "a"))))
        #expect(play.takeEffects() == [.send(.hidden(cursor: "a"))])
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(100..<250, total: 250))))
        play.type("G")
        #expect(play.screen.contains("─ Hidden 250/250 ") && play.screen.contains("Hidden number 249."))
        play.happen(.changed(try snapshot(loading: 1)))
        #expect(play.takeEffects() == [.send(.hidden(cursor: nil))])
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(50..<150, total: 200, next: "c"))))
        #expect(play.screen.contains("Hidden number 249.") && play.takeEffects() == [.send(.hidden(cursor: "c"))])
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(150..<250, total: 200))))
        #expect(play.screen.contains("─ Hidden 200/200 ") && play.takeEffects() == [])
        play.happen(
            .changed(try snapshot()), .answered(.hidden(cursor: nil), .hidden(reply(0..<1000, total: 1234, next: "d"))))
        play.type("G")
        play.press(.pageDown)
        #expect(play.takeEffects() == [.send(.hidden(cursor: nil))])
        #expect(play.screen.contains("234 older ones: 'jokesctl hidden' lists them."))
        play.happen(
            .changed(try snapshot()), .answered(.hidden(cursor: nil), .hidden(reply(0..<100, total: 250, next: "e"))),
            .answered(.hidden(cursor: nil), .hidden(reply(100..<100, total: 250, next: "f"))))
        #expect(play.takeEffects() == [.send(.hidden(cursor: nil)), .send(.hidden(cursor: "e"))])
        play.type("G")
        #expect(play.screen.contains("150 older ones: 'jokesctl hidden' lists them."))
    }

    @Test("snapshots during a reload do not move the cursor, and the jokes are loaded again after the reload")
    func snapshotsDuringReload() throws {
        var play = try play(reply(0..<100, total: 250, next: "a"), rows: 40)
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(100..<250, total: 250))))
        play.type("G")
        _ = play.takeEffects()
        let before = play.list
        #expect(before.contains("Hidden number 249."))
        for loading in 0..<5 {
            play.happen(.changed(try snapshot(loading: loading % 2)))
            // The first request of the reload is sent already.
            #expect(play.takeEffects() == (loading == 0 ? [.send(.hidden(cursor: nil))] : []))
            play.happen(.answered(.hidden(cursor: nil), .hidden(reply(0..<100, total: 250, next: "a"))))
            #expect(play.list == before && play.takeEffects() == [.send(.hidden(cursor: "a"))])
            play.happen(
                .changed(try snapshot(loading: 1)),
                .answered(.hidden(cursor: nil), .hidden(reply(100..<200, total: 250, next: "b"))))
            #expect(play.list == before && play.takeEffects() == [.send(.hidden(cursor: "b"))])
            play.happen(.answered(.hidden(cursor: nil), .hidden(reply(200..<250, total: 250))))
            #expect(play.list == before && play.takeEffects() == [.send(.hidden(cursor: nil))])
            #expect(play.screen.contains("─ Hidden 250/250 "))
        }
    }

    @Test("space shows the whole joke, and hides its punchline again")
    func reveals() throws {
        var play = try play(reply(0..<3))
        let before = play.screen
        play.type(" ")
        #expect(play.screen.contains("— Punchline 0.") && !play.screen.contains("Punchline 1."))
        #expect(play.screen.contains("hidden 13:00 · t"))
        play.type(" ")
        #expect(play.screen == before)
    }

    @Test("x shows a joke again: it leaves the page when the jokes come again, and u hides it again")
    func unhides() throws {
        var play = try play(reply(0..<3))
        play.type("x")
        #expect(play.takeEffects() == [.send(.hide(first, isHidden: false))])
        play.answer()
        #expect(play.takeEffects() == [.send(.watch(View())), .send(.hidden(cursor: nil))])
        #expect(play.screen.hasSuffix("Shown again; u undoes"))
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(1..<3))))
        #expect(!play.screen.contains("number 0.") && play.screen.contains("─ Hidden 1/2 "))
        play.type("u")
        #expect(play.takeEffects() == [.send(.undo)])
        play.answer(.undone(.loading(0)) { $0.hidden = 1 })
        #expect(play.screen.hasSuffix("1 unhidden joke taken back"))
        play.happen(.answered(.hidden(cursor: nil), .hidden(reply(0..<3))))
        #expect(play.screen.contains("number 0."))
    }

    @Test("if the daemon refuses, the joke stays hidden with the reason; without a connection, nothing changes")
    func refused() throws {
        var play = try play(reply(0..<3))
        let before = play.screen
        play.type("x")
        play.answer(.refused("The cache cannot be written."))
        #expect(play.screen.contains("number 0.") && play.screen.hasSuffix("The cache cannot be written."))
        play.type("g")
        // Without the notice.
        play.press(.control("l"))
        #expect(play.screen == before)
        _ = play.takeEffects()
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("x")
        #expect(play.takeEffects() == [] && play.screen.contains("Still hidden: not connected"))
    }

    @Test("f and y act on the hidden joke, and the star comes with the jokes")
    func keys() throws {
        var play = try play(reply(0..<2))
        play.type("jf")
        let second = JokeID(rawValue: "t:1")
        #expect(play.takeEffects() == [.send(.favorite(second, isFavorite: true))])
        play.type("y")
        play.answer()
        var loaded = reply(0..<2)
        loaded.hidden[1] = hiddenJoke("t:1", "Hidden number 1.", "Punchline 1.", isFavorite: true)
        play.happen(.answered(.hidden(cursor: nil), .hidden(loaded)))
        #expect(play.screen.contains("★ Hidden number 1."))
        #expect(play.takeEffects().last == .copy("Hidden number 1.\nPunchline 1."))
    }
}

func hiddenJoke(_ id: String, _ setup: String, _ punchline: String? = nil, isFavorite: Bool = false)
    -> HiddenJoke
{
    let text = punchline.map { JokeText.twoPart(setup: setup, punchline: $0) } ?? .single(setup)
    return HiddenJoke(
        joke: Joke(
            id: JokeID(rawValue: id), content: JokeContent(text: text), isFavorite: isFavorite, isSeen: true,
            firstSeen: noon), hiddenAt: noon)
}
