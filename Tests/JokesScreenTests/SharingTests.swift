import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct SharingTests {
    private func play(_ text: JokeText, url: String? = nil) throws -> Play {
        var play = Play(columns: 70, rows: 6)
        let content = JokeContent(
            text: text, language: "en", categories: [], safety: .safe, details: JokeDetails(url: url))
        let item = Item.joke(
            Joke(id: JokeID(rawValue: "dad:1"), content: content, isFavorite: false, firstSeen: noon))
        play.happen(.changed(try snapshot(jokes: [item])))
        _ = play.takeEffects()
        return play
    }

    @Test("the whole joke is copied, with a hidden punchline and without control characters")
    func copies() throws {
        var play = try play(.twoPart(setup: "Why?\nReally,\u{1B}[31m why?", punchline: "Because."))
        play.type("y")
        #expect(play.takeEffects() == [.copy("Why?\nReally,\u{FFFD}[31m why?\nBecause.")])
        play.happen(.copyAnswered(refusal: nil))
        #expect(play.screen.hasSuffix(" Sent to the terminal's clipboard"))
    }

    @Test("if copying is impossible, a notice of one line says what to do instead")
    func refusesToCopy() throws {
        for (refusal, words) in [
            (ClipboardRefusal.console, "jokesctl show"), (.screen, "hold shift"), (.screenOrTmux, "tmux-256color"),
            (.otherKind, "jokesctl show"),
        ] {
            var play = try play(.single("One."))
            play.happen(.resized(Size(columns: 80, rows: 6)), .copyAnswered(refusal: refusal))
            #expect(play.screen.contains(words) && !play.screen.hasSuffix("…"))
        }
    }

    @Test("on a header, copy and open do nothing")
    func header() throws {
        var play = try play(.single("One."), url: "https://example.org/")
        play.press(.tab)
        play.type("yo")
        #expect(play.takeEffects() == [])
    }

    @Test("opening a URL shows a notice, and only an early failure is reported")
    func opens() throws {
        var play = try play(.single("One."), url: "https://example.org/1?a=b")
        play.type("o")
        #expect(play.takeEffects() == [.open("https://example.org/1?a=b")])
        #expect(play.screen.hasSuffix(" Opening https://example.org/1?a=b"))
        play.type("j")
        let before = play.screen
        play.happen(.openAnswered(url: "https://example.org/1", refusal: nil, after: .milliseconds(300)))
        // A browser that exits with an error after a minute is not a failure to open the URL.
        play.happen(.openAnswered(url: "https://example.org/1", refusal: "No.", after: .seconds(60)))
        #expect(play.screen == before)
        play.happen(.openAnswered(url: "https://example.org/1", refusal: "xdg-open failed", after: .milliseconds(300)))
        #expect(play.screen.hasSuffix(" xdg-open failed: https://example.org/1"))
    }

    @Test(
        "only http and https URLs are opened, and others get a notice",
        arguments: [
            (nil, "This joke has no URL; y copies its text"),
            ("file:///etc/passwd", "Not a valid http or https URL:"),
            ("javascript:alert(1)", "Not a valid"), ("-h", "Not a valid"), ("https:", "Not a valid"),
            ("", "Not a valid"), ("https://a b", "Not a valid"), ("http://a\u{1B}[2J", "Not a valid"),
            ("https://\u{202E}gro", "Not a valid"),
        ] as [(String?, String)])
    func refused(url: String?, words: String) throws {
        var play = try play(.single("One."), url: url)
        play.type("o")
        #expect(play.takeEffects() == [])
        #expect(play.screen.contains("\n " + words))
    }
}
