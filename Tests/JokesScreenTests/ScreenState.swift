import JokesCore
import JokesProtocol
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// States of the list, its details, the help and the sources.
enum ScreenState: String, RecordedState {
    case connecting, awayAtFirst, jokes, revealed, longRevealed, favorites, folded, loading, loadingOnly
    case empty, emptyBelowFavorites, emptyOffline, emptyFailing, filtered, offline, failing, recovered, away,
        refused
    case help, helpEnd, hostile, scripts, oneLine, oneLineRevealed, oneLineHostile
    case details, detailsRevealed, detailsOfLoading, detailsScrolled, detailsOfHostile
    case detailsOfScripts
    case sources, sourcesEnd, sourcesAsked, sourcesRefused, sourcesHostile
    case sourceFailing, sourceTesting, sourceTested, sourceHostile, helpFound, helpNotFound

    func perform(on play: inout Play) throws {
        switch self {
        case .connecting: play.happen(.connecting)
        case .awayAtFirst: play.happen(absence)
        case .jokes: play.happen(.changed(try snapshot()))
        case .revealed:
            play.happen(.changed(try snapshot()))
            play.press(.enter)
        case .longRevealed:
            play.happen(.changed(try snapshot()))
            play.type("jjj ")
        case .favorites, .folded:
            play.happen(.changed(try snapshot(favorites: someFavorites)))
            if self == .folded { play.press(.tab) }
        case .loading: play.happen(.changed(try snapshot(loading: 10)))
        case .loadingOnly: play.happen(.changed(try snapshot(loading: 10, jokes: [])))
        case .empty: play.happen(.changed(try snapshot(jokes: [], header: JokesHeader())))
        case .emptyBelowFavorites:
            let favorites = (0..<30).map { favorite("t:\($0)", "Favorite \($0)") }
            play.happen(.changed(try snapshot(favorites: favorites, jokes: [], header: JokesHeader(lastSync: noon))))
            play.type("G")
        case .emptyOffline: play.happen(.changed(try snapshot(jokes: [], header: JokesHeader(isOffline: true))))
        case .offline:
            let yesterday = noon.advanced(by: .seconds(-20 * 3600))
            play.happen(.changed(try snapshot(header: JokesHeader(shown: 446, lastSync: yesterday, isOffline: true))))
        case .recovered:
            play.happen(.changed(try snapshot(header: JokesHeader(shown: 446, lastSync: noon, isRecovered: true))))
        case .failing:
            let header = JokesHeader(shown: 446, lastSync: noon, failing: ["dad", "jokeapi"])
            play.happen(.changed(try snapshot(header: header)))
        case .away: play.happen(.changed(try snapshot()), absence)
        case .refused:
            play.happen(.changed(try snapshot()))
            play.type("jf")
            play.answer(.refused(storageRefusal))
        case .help:
            play.happen(.changed(try snapshot()))
            play.type("?")
        case .helpEnd:
            play.happen(.changed(try snapshot()))
            play.type("?G")
        case .hostile:
            play.happen(.changed(try snapshot(jokes: hostileJokes, header: hostileHeader)))
            play.type("l")
        case .oneLine, .oneLineRevealed:
            play.happen(.changed(try snapshot(favorites: someFavorites)))
            play.type(self == .oneLine ? "Gw" : "wGkkl")
        case .oneLineHostile:
            play.happen(.changed(try snapshot(jokes: hostileJokes + scriptJokes, header: hostileHeader)))
            play.type("w")
        case .scripts:
            play.happen(.changed(try snapshot(jokes: scriptJokes)))
        case .details, .detailsRevealed, .detailsScrolled:
            play.happen(.changed(try snapshot(favorites: [.favorite(noted)], jokes: [noted.asJoke] + someJokes)))
            play.showDetails()
            switch self {
            case .detailsRevealed: play.type(" ")
            case .detailsScrolled: play.type(play.model.page == nil ? " JJJ" : " jjj")
            default: break
            }
        case .sources, .sourcesEnd, .sourcesHostile:
            play.happen(.changed(try snapshot()))
            play.type("s")
            play.happen(.answered(.sources, .sources(self == .sourcesHostile ? hostileSources : someSources)))
            if self == .sourcesEnd { play.type("G") }
        case .sourceFailing:
            play.happen(.changed(try snapshot()))
            play.openSources()
            play.type("j ")
        case .sourceTesting, .sourceTested:
            play.happen(.changed(try snapshot()))
            play.openSources()
            play.type("t")
            if self == .sourceTested { play.happen(.answered(.testSource("official"), .sample(someSample))) }
        case .sourceHostile:
            play.happen(.changed(try snapshot()))
            play.type("s")
            play.happen(.answered(.sources, .sources(hostileSources)))
            play.type("t")
            play.happen(.answered(.testSource(hostileSources[0].name), .refused("\u{1B}[2J\u{202E}no\n\u{9B}6n")))
        case .helpFound, .helpNotFound:
            play.happen(.changed(try snapshot()))
            play.type(self == .helpFound ? "?/favor" : "?/e\u{301}\u{1B}[2J")
        case .sourcesAsked:
            play.happen(.changed(try snapshot()))
            play.type("s")
        case .sourcesRefused:
            play.happen(.changed(try snapshot()))
            play.type("s")
            play.happen(
                .answered(
                    .sources,
                    .refused("The daemon cannot be reached at /run/user/1000/jokesd/jokesd.sock: connection refused.")))
        case .filtered:
            play.happen(.changed(try snapshot(jokes: [], header: JokesHeader(lastSync: noon))))
            var counts = JokeCounts(cached: 96, filteredOut: 90, unrated: 84)
            counts.hidden = 6
            play.happen(
                .answered(
                    .sources, .sources([SourceHealth(name: "fortunes", type: "fortune", enabled: true, jokes: counts)]))
            )
        case .emptyFailing:
            play.happen(.changed(try snapshot(jokes: [], header: JokesHeader(failing: ["dad", "jokeapi"]))))
        case .detailsOfLoading:
            play.happen(.changed(try snapshot(loading: 3)))
            play.type("gj")
            play.showDetails()
        case .detailsOfHostile:
            play.happen(.changed(try snapshot(jokes: [hostileInAll])))
            play.type("l")
            play.showDetails()
        case .detailsOfScripts:
            play.happen(.changed(try snapshot(jokes: scriptJokes)))
            play.type("jj")
            play.showDetails()
        }
    }
}

private let absence = Message.unreachable(
    reason: "The daemon cannot be reached at /run/user/1000/jokesd/jokesd.sock: connection refused.",
    hint: "Start it with: systemctl --user start jokesd, or: jokesd &", retryAt: noon.advanced(by: .seconds(8)))

private let storageRefusal =
    "The daemon cannot use its storage: the disk of /home/ann/.local/state/jokesd is full.\nMake room on the disk: the next "
    + "change is stored then."

private let someFavorites = [
    favorite("dad:c", "What is a semaphore's favorite dance?", "The wait and signal."),
    favorite("dad:z", "My clock ran away. It will be back in no time."),
]

private let hostileJokes = [
    joke(
        "evil\u{1B}[2J:1", "a\u{1B}]52;c;aGk=\u{7}b \u{9B}6n c\u{202E}d\u{2066}e\u{200B}f\r\u{8}g\u{0}h",
        "\u{1B}[31mred\u{1B}[0m\u{7F}\u{85}next", category: "cat\u{1B}[5megory\nline"),
    joke("evil:2", "Z" + String(repeating: "\u{301}\u{316}", count: 200) + "algo says hello to the columns"),
    joke("evil:3", String(repeating: "W", count: 3000)),
    joke("evil:4", String(repeating: "line\n", count: 200)),
    joke("evil:5", ""),
]

/// A favorite with a value in every field.
private let noted = Favorite(
    id: JokeID(rawValue: "jokeapi:en:8"),
    content: JokeContent(
        text: .twoPart(
            setup: "Why do Java programmers wear glasses?",
            punchline: "Because they do not C sharp, and because the light in the room with the compiler is bad."),
        language: "en", categories: ["Programming", "Pun"], flags: [.nsfw, .political], safety: .unsafe,
        details: JokeDetails(
            url: "https://jokes.example/en/programming/8?format=a-long-one-that-is-wider-than-many-a-screen",
            author: "Anna Nym", date: "2019-07-01")),
    favoritedAt: noon, firstSeen: noon.advanced(by: .seconds(-86_400)),
    note: "For the talk on compilers.\nAsk Anna whether she minds.")

extension Favorite {
    fileprivate var asJoke: Item {
        .joke(Joke(id: id, content: content, isFavorite: true, isSeen: true, firstSeen: firstSeen))
    }
}

private let hostileInAll = Item.joke(
    Joke(
        id: JokeID(rawValue: "evil\u{1B}[2J:9"),
        content: JokeContent(
            text: .twoPart(setup: "a\u{1B}]52;c;aGk=\u{7}b\u{202E}c\tx", punchline: "\u{9B}31mred\u{0}\u{2067}"),
            language: "e\u{1B}n", categories: ["c\u{1B}[5m", "d\nline"], safety: .unknown,
            details: JokeDetails(
                url: "https://evil.example/\u{1B}]8;;x\u{7}\u{202E}gpj", author: "A\u{200B}\u{1B}cB\u{2028}C",
                date: "\u{85}2019" + String(repeating: "\u{301}", count: 50))),
        isFavorite: false, isSeen: true, firstSeen: Timestamp(microseconds: .min)))

private let hostileHeader = JokesHeader(
    shown: .max, lastSync: Timestamp(microseconds: .max),
    failing: ["a\u{1B}[1mb\nc", String(repeating: "x", count: 300)])

private let scriptJokes = [
    joke("scripts:1", "日本語の冗談は、行の終わりで正しく折り返されますか。はい、たぶん折り返されます。", "たぶん。", category: "日本"),
    joke("scripts:2", "مرحبا، هذه نكتة قصيرة", category: "عربي"),
    joke("scripts:3", "👩‍👩‍👧‍👦 👍🏽 🇩🇪 ❤️ 1️⃣ walk into a bar 😀😀😀😀😀😀😀😀😀😀", category: "😀"),
    joke("scripts:4", "क्षि नमस्ते, e\u{301}te\u{301} naïve"),
]
