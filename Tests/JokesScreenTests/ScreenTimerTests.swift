import Diffable
import JokesCore
import JokesScreen
import Terminal
import TestSupport
import Testing
import TextLayout

@Suite struct ScreenTimerTests {
    private func styles(_ play: Play) -> [[Style]] {
        view(play.model).lines.map { $0.spans.map(\.style) }
    }

    @Test("a visible loading row shimmers by one timer, and its text does not change")
    func shimmers() throws {
        var play = Play(columns: 40, rows: 12)
        play.happen(.changed(try snapshot(loading: 3)))
        #expect(play.timers == [.shimmer])
        let (text, first) = (play.screen, styles(play))
        var seen: Set<[[Style]]> = [first]
        repeat {
            play.happen(.timerEnded(.shimmer))
            #expect(play.timers == [.shimmer])
            #expect(play.screen == text)
            seen.insert(styles(play))
        } while styles(play) != first && seen.count < 100
        #expect((2..<100).contains(seen.count))
    }

    @Test("without a loading row on the screen, no timer runs")
    func still() throws {
        let loading = try snapshot(loading: 2, jokes: numbered(0..<30))
        let ways: [(String, (inout Play) throws -> Void)] = [
            ("loaded", { $0.happen(.changed(try snapshot(jokes: numbered(0..<30)))) }),
            ("scrolled away", { $0.type("G") }),
            ("folded", { $0.press(.tab) }),
            ("under the help", { $0.type("?") }),
            ("the daemon away", { $0.happen(.unreachable(reason: "gone", retryAt: noon)) }),
        ]
        for (name, way) in ways {
            var play = Play(columns: 40, rows: 12)
            play.happen(.changed(loading))
            #expect(play.timers == [.shimmer])
            try way(&play)
            #expect(play.timers == [], "\(name)")
        }
    }

    @Test("new jokes above the known ones are highlighted for a moment, by one timer")
    func arrivals() throws {
        var play = Play(columns: 40, rows: 12)
        play.happen(.changed(try snapshot(jokes: numbered(2..<6))))
        #expect(play.timers == [] && !play.screen.contains("•"))
        play.happen(.changed(try snapshot(loading: 1, jokes: numbered(1..<6))))
        play.happen(.changed(try snapshot(jokes: numbered(0..<6))))
        let starts = play.list.split(separator: "\n").dropFirst().prefix(3).map { $0.prefix(16) }
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
        play.type("H")
        play.happen(
            .hideAnswered(JokeID(rawValue: "t:0"), refusal: nil), .changed(try snapshot(jokes: numbered(1..<4))))
        play.type("u")
        play.happen(
            .hideAnswered(JokeID(rawValue: "t:0"), refusal: nil), .changed(try snapshot(jokes: numbered(0..<4))))
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
