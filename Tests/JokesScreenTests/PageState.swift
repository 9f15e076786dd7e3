import JokesCore
import JokesProtocol
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// States of the filters, of the page of hidden jokes, of a note and of unseen jokes.
enum PageState: String, RecordedState {
    case filters, filtersAsked, filtersSet, filtersRefused, filtersHostile, filteredList, filteredEmpty, filteredSearch
    case hiddenPage, hiddenRevealed, hiddenMore, hiddenEmpty, hiddenAsked, hiddenRefused, hiddenHostile
    case note, noteLong, noteAway, unseen

    func perform(on play: inout Play) throws {
        let kept = favorite("dad:z", "My clock ran away.", note: "for Ann")
        play.happen(.changed(try snapshot(favorites: self == .noteAway ? [kept] : [])))
        switch self {
        case .filters, .filtersAsked, .filtersSet, .filtersRefused, .filtersHostile, .filteredList, .filteredEmpty,
            .filteredSearch:
            try performWithFilters(on: &play)
        case .hiddenPage, .hiddenRevealed, .hiddenMore, .hiddenEmpty, .hiddenAsked, .hiddenRefused, .hiddenHostile:
            performOnHiddenPage(on: &play)
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

    private func performWithFilters(on play: inout Play) throws {
        play.type("F")
        if self == .filtersAsked { return }
        if self == .filtersRefused {
            return play.happen(.answered(.statistics, .refused("The daemon is busy: try again.")))
        }
        play.happen(.answered(.statistics, .statistics(self == .filtersHostile ? hostileCounts : someCounts)))
        if self == .filters || self == .filtersHostile { return }
        play.type("j jj jj ")
        play.happen(.changed(try snapshot(jokes: Array(someJokes[1...2]))))
        switch self {
        case .filteredList: play.type("q")
        case .filteredEmpty:
            play.happen(.changed(try snapshot(jokes: [])))
            play.type("q")
        case .filteredSearch:
            play.search("du")
            play.happen(.changed(try found("du", [])))
        default: break
        }
    }

    private func performOnHiddenPage(on play: inout Play) {
        play.type("U")
        switch self {
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
            let (total, next) = self == .hiddenMore ? (200, "next") : (jokes.count, nil)
            play.happen(
                .answered(.hidden(cursor: nil), .hidden(.init(hidden: jokes, total: total, notCached: 2, next: next))))
        }
        switch self {
        case .hiddenRevealed, .hiddenHostile: play.type("jjj ")
        case .hiddenMore: play.type("G")
        default: break
        }
    }
}
