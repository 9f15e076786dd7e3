import JokesCore
import JokesProtocol
import JokesScreen
import Terminal
import Testing
import TextLayout

/// Screens of the filters, the page of hidden jokes, a note and unseen jokes, at four sizes.
@Suite struct PageScreenTests {
    enum State: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case filters, filtersAsked, filtersSet, filtersRefused, filtersHostile, filteredList, filteredEmpty
        case filteredSearch
        case hiddenPage, hiddenRevealed, hiddenMore, hiddenEmpty, hiddenAsked, hiddenRefused, hiddenHostile
        case note, noteLong, noteAway, unseen

        var testDescription: String { rawValue }
    }

    @Test("the screens are as recorded, each line with exactly the screen's columns", arguments: State.allCases)
    func golden(state: State) throws {
        let sizes = [(80, 24), (40, 12), (20, 5), (120, 30)]
        let screens = try sizes.map { columns, rows in
            var play = Play(columns: columns, rows: rows)
            play.happen(.changed(try snapshot(favorites: state == .noteAway ? [kept] : [])))
            try perform(state, on: &play)
            let frame = view(play.model)
            #expect(frame.lines.count == rows && frame.lines.allSatisfy { $0.columns == columns })
            for scalar in frame.lines.flatMap(\.plainText.unicodeScalars) {
                #expect(scalar.properties.generalCategory != .control)
            }
            return (size: "\(columns)x\(rows)", text: play.screen)
        }
        try expectScreens(state.rawValue, screens)
    }

    private let kept = favorite("dad:z", "My clock ran away.", note: "for Ann")

    private func perform(_ state: State, on play: inout Play) throws {
        switch state {
        case .filters, .filtersAsked, .filtersSet, .filtersRefused, .filtersHostile, .filteredList, .filteredEmpty,
            .filteredSearch:
            try performWithFilters(state, on: &play)
        case .hiddenPage, .hiddenRevealed, .hiddenMore, .hiddenEmpty, .hiddenAsked, .hiddenRefused, .hiddenHostile:
            performOnHiddenPage(state, on: &play)
        case .note: play.type("eRead this one to Ann")
        case .noteLong: play.type("e" + String(repeating: "A long note. ", count: 50))
        case .noteAway:
            play.type("e!")
            play.happen(.unreachable(reason: "Nobody is there.", retryAt: noon.advanced(by: .seconds(8))))
        case .unseen:
            let jokes = someJokes.enumerated().map { number, item in
                guard case .joke(var joke) = item else { return item }
                joke.isSeen = number % 2 == 0
                return .joke(joke)
            }
            play.happen(.changed(try snapshot(jokes: jokes)))
            play.type("]")
        }
    }

    private func performWithFilters(_ state: State, on play: inout Play) throws {
        play.type("F")
        if state == .filtersAsked { return }
        if state == .filtersRefused {
            return play.happen(.answered(.statistics, .refused("The daemon is busy: try again.")))
        }
        play.happen(.answered(.statistics, .statistics(state == .filtersHostile ? hostileCounts : someCounts)))
        if state == .filters || state == .filtersHostile { return }
        play.type("j jj jj ")
        play.happen(.changed(try snapshot(jokes: Array(someJokes[1...2]))))
        switch state {
        case .filteredList: play.type("q")
        case .filteredEmpty:
            play.happen(.changed(try snapshot(jokes: [])))
            play.type("q")
        case .filteredSearch:
            play.type("/du")
            play.press(.enter)
            play.happen(.changed(try found("du", [])))
        default: break
        }
    }

    private func performOnHiddenPage(_ state: State, on play: inout Play) {
        play.type("U")
        switch state {
        case .hiddenAsked: return
        case .hiddenRefused:
            return play.happen(.answered(.hidden(cursor: nil), .refused("The daemon is busy: try again.")))
        case .hiddenEmpty:
            return play.happen(
                .answered(.hidden(cursor: nil), .hidden(.init(hidden: [], total: 0, notCached: 0, next: nil))))
        case .hiddenHostile:
            let hostile = hiddenJoke("evil\u{1B}[2J:1", "a\u{1B}]52;c;aGk=\u{7}b\u{202E}c\nd", "\u{9B}31mred\u{0}")
            play.happen(
                .answered(
                    .hidden(cursor: nil), .hidden(.init(hidden: [hostile], total: .max, notCached: .max, next: nil))))
        default:
            let jokes = someJokes.compactMap { item in
                if case .joke(let joke) = item {
                    HiddenJoke(joke: joke, hiddenAt: noon)
                } else {
                    nil
                }
            }
            let (total, next) = state == .hiddenMore ? (200, "next") : (jokes.count, nil)
            play.happen(
                .answered(.hidden(cursor: nil), .hidden(.init(hidden: jokes, total: total, notCached: 2, next: next))))
        }
        switch state {
        case .hiddenRevealed, .hiddenHostile: play.type("jjj ")
        case .hiddenMore: play.type("G")
        default: break
        }
    }
}
