import Diffable
import JokesCore
import JokesProtocol
import JokesScreen
import TestSupport
import Testing

@Suite struct ScreenTimerTests {
    @Test("new jokes above the known ones are highlighted for a moment, by one timer")
    func arrivals() throws {
        var play = Play(columns: 40, rows: 12)
        play.happen(.changed(try snapshot(jokes: numbered(2..<6))))
        #expect(play.timers == [] && !play.screen.contains("•"))
        play.happen(.changed(try snapshot(loading: 1, jokes: numbered(1..<6))))
        play.happen(.changed(try snapshot(jokes: numbered(0..<6))))
        let starts = play.list.split(separator: "\n").prefix(3).map { $0.prefix(16) }
        #expect(starts == ["• Joke number 0.", "• Joke number 1.", "  Joke number 2."])
        #expect(play.screen.contains("2 new jokes"))
        #expect(play.timers == [.arrivals])
        play.happen(.timerEnded(.arrivals))
        #expect(!play.screen.contains("•") && !play.screen.contains("new"))
        #expect(play.timers == [])
    }

    @Test("if no known joke is left, only jokes newer than the known ones are highlighted")
    func manyArrivals() throws {
        func seen(after pause: Duration) -> [Item] {
            (100..<104).map { number in
                let content = JokeContent(text: .single("Joke number \(number)."))
                return .joke(
                    Joke(
                        id: JokeID(rawValue: "t:\(number)"), content: content, isFavorite: false,
                        firstSeen: noon.advanced(by: pause)))
            }
        }
        for (pause, count) in [(Duration.seconds(60), 4), (.zero, 0), (.seconds(-60), 0)] {
            var play = Play(columns: 40, rows: 12)
            play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
            play.happen(.changed(try snapshot(jokes: seen(after: pause))))
            #expect(play.model.arrivals.count == count)
        }
    }

    @Test("the highlight of a new row ends with the row")
    func arrivalsGone() throws {
        var play = Play(columns: 40, rows: 12)
        play.happen(.changed(try snapshot(jokes: numbered(1..<6))), .changed(try snapshot(jokes: numbered(0..<6))))
        #expect(play.timers == [.arrivals])
        play.happen(.changed(try snapshot(jokes: numbered(1..<6))))
        #expect(play.timers == [] && !play.screen.contains("new"))
    }

    @Test("a joke that is shown again is not highlighted")
    func shownAgain() throws {
        var play = Play(columns: 40, rows: 12)
        play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
        play.type("x")
        play.happen(
            .hideAnswered(JokeID(rawValue: "t:0"), refusal: nil), .changed(try snapshot(jokes: numbered(1..<4))))
        play.type("u")
        play.happen(.undone(numbered(0..<4)[0]) { $0.unhidden = 1 }, .changed(try snapshot(jokes: numbered(0..<4))))
        #expect(play.screen.contains("  Joke number 0.") && play.model.cursor == row(0))
        #expect(play.timers == [])
    }

    @Test("the first jokes, jokes below, and jokes that replace all others are not highlighted")
    func notNew() throws {
        for (before, after) in [(3..<3, 0..<4), (0..<4, 0..<9), (0..<4, 10..<14)] {
            var play = Play(columns: 40, rows: 12)
            play.happen(.changed(try snapshot(jokes: numbered(before))), .changed(try snapshot(jokes: numbered(after))))
            #expect(play.timers == [] && !play.screen.contains("•"))
        }
    }
}
