import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Page.Kind {
    static let random: Page.Kind = Page.Kind(
        name: "random", title: { _ in "Random" }, content: { PageContent(lines: $0.randomLines(to: $1)) },
        hints: { $0.randomHints },
        perform: { $0.performOnRandomPage($1) },
        // A snapshot means that the daemon may answer now.
        refresh: { $0.random.refusal == nil && $0.random.current != nil ? [] : $0.newRandomJoke() },
        item: { $0.random.refusal == nil ? $0.random.current.map { .joke($0) } : nil })
}

/// The jokes of the random page, and the position in them.
struct RandomJokes: Hashable, Sendable {
    /// The served jokes, the newest last.
    var jokes: [Joke] = []
    var index = 0
    var isRevealed = false
    var isRequested = false
    /// The error of the last request, if it failed.
    var refusal: String?

    /// Earlier jokes are forgotten.
    static let maxCount = 100

    var current: Joke? { jokes.indices.contains(index) ? jokes[index] : nil }

    /// The list may not have the joke, so the page keeps its star itself.
    mutating func setFavorite(_ joke: JokeID, _ isFavorite: Bool) {
        for index in jokes.indices where jokes[index].id == joke { jokes[index].isFavorite = isFavorite }
    }

    mutating func move(to index: Int) {
        (self.index, isRevealed, refusal) = (index, false, jokes.isEmpty ? refusal : nil)
    }
}

extension Model {
    fileprivate var randomHints: [KeyHint] {
        let isHidden = random.current?.content.text.punchline != nil && !random.isRevealed && random.refusal == nil
        let previous = random.index > 0 ? [keyHint(.up, "previous")] : []
        return [keyHint(.reveal, isHidden ? "punchline" : "next")] + previous
            + (shownItem?.id.joke.map { [starHint($0), keyHint(.copy, "copy")] } ?? []) + [backHint]
    }

    /// Shows the next joke: a new one after the last.
    private mutating func nextRandomJoke() -> [Effect] {
        guard random.index + 1 < random.jokes.count else { return newRandomJoke() }
        random.move(to: random.index + 1)
        return []
    }

    /// Requests a joke, one at a time.
    mutating func newRandomJoke() -> [Effect] {
        if random.isRequested { return [] }
        random.isRequested = true
        return [.send(.random(selection))]
    }

    /// Handles the answer to `Request.random`.
    mutating func handleRandom(_ answer: Answer) -> [Effect] {
        random.isRequested = false
        random.refusal = answer.refusal
        guard case .joke(let joke) = answer else { return [] }
        random.jokes = random.jokes.suffix(RandomJokes.maxCount - 1) + [joke]
        random.move(to: random.jokes.count - 1)
        return []
    }

    fileprivate mutating func performOnRandomPage(_ action: Action) -> [Effect]? {
        switch action {
        case .reveal, .open:
            guard random.refusal == nil, random.current?.content.text.punchline != nil, !random.isRevealed else {
                return nextRandomJoke()
            }
            random.isRevealed = true
        case .down, .pageDown, .halfPageDown: return nextRandomJoke()
        case .up, .pageUp, .halfPageUp, .close:
            if random.refusal != nil, random.current != nil {
                random.refusal = nil
            } else if random.index > 0 {
                random.move(to: random.index - 1)
            } else {
                notice = Notice(text: "This is the first joke; \(keys.name(of: .quit)) goes back")
            }
        case .first: random.move(to: 0)
        case .last: random.move(to: max(0, random.jokes.count - 1))
        case .hide:
            guard random.refusal == nil, random.current != nil else { return nil }
            let effects = perform(.hide)
            return effects.isEmpty ? [] : effects + nextRandomJoke()
        default: return nil
        }
        return []
    }

    /// The joke in the middle of the page, and its origin below it.
    fileprivate func randomLines(to columns: Int) -> [Line] {
        let width = max(1, columns - 2)
        let text: [Line]
        if random.refusal == nil, let joke = random.current {
            let note = favorite(of: joke.id)?.note.map { [Line()] + centered($0, to: width) } ?? []
            text = jokeLines(joke, isRevealed: random.isRevealed, to: width) + note
        } else {
            let isFiltered = random.refusal?.contains(JokesError.noMatchReason) == true
            let filter = isFiltered ? emptyWords(of: .jokes(JokesHeader())) : nil
            let refusal = (filter ?? random.refusal).map { ($0, Style([], .warning)) }
            let (words, style) = linkText ?? refusal ?? ("Loading\u{2026}", .muted)
            text = centered(words, style, to: width)
        }
        return blankLines((height(of: .random) - text.count) * 2 / 5) + text.map { Line(" ") + $0 }
    }
}
