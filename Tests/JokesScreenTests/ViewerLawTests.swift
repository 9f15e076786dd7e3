import Diffable
import JokesCore
import JokesScreen
import Terminal
import TestSupport
import Testing

/// What somebody does and what the daemon does, in any order.
private enum Step {
    case message(Message)
    /// A picture that is reached from the one before by a difference, as the socket brings it.
    case picture(JokeSnapshot)
}

@Suite struct ViewerLawTests {
    @Test("whatever is pressed and whatever the daemon shows, the screen is whole and the cursor on it")
    func invariants() throws {
        try checkLaw("viewer", cases: 1000, maxSize: 24, generate: steps, shrink: shorterBySteps) { steps in
            var play = Play(columns: 40, rows: 12)
            for step in steps {
                try perform(step, on: &play)
                try checkWhole(play.model)
                try checkTimers(of: play)
            }
        }
    }

    @Test("a screen after differences is the one that the same state makes from scratch")
    func fromScratch() throws {
        try checkLaw("from scratch", cases: 1000, maxSize: 16, generate: steps, shrink: shorterBySteps) { steps in
            var (followed, told) = (Play(columns: 40, rows: 12), Play(columns: 40, rows: 12))
            for step in steps {
                try perform(step, on: &followed)
                switch step {
                case .message: try perform(step, on: &told)
                case .picture(let snapshot): told.happen(.changed(try rebuilt(snapshot)))
                }
                try hold(followed.screen == told.screen, "\(followed.screen)\nis not\n\(told.screen)")
            }
        }
    }

    @Test("whatever is searched, gone on to, starred, hidden and undone, in the end it shows what the daemon has of it")
    func agreement() throws {
        let keys: [Key] =
            "/1234509nNGGkjjHfuul ".map { .character($0) } + [.enter, .enter, .escape, .backspace, .pageDown]
        try checkLaw("agreement", cases: 300, maxSize: 40) { random, size in
            (0..<size).map { _ in
                (keys[random.int(in: 0..<keys.count)], random.chance(1, in: 2), random.chance(1, in: 2))
            }
        } law: { steps in
            var (play, daemon) = (Play(columns: 60, rows: 14), AnsweringDaemon())
            if let picture = try daemon.nextPicture() { play.happen(picture) }
            for (key, hasAnswer, hasPicture) in steps {
                play.press(key)
                for effect in play.takeEffects() { daemon.perform(effect) }
                if hasAnswer, let answer = daemon.nextAnswer() { play.happen(answer) }
                if hasPicture, let picture = try daemon.nextPicture() { play.happen(picture) }
                try checkWhole(play.model)
            }
            while let answer = daemon.nextAnswer() { play.happen(answer) }
            if let picture = try daemon.nextPicture() { play.happen(picture) }
            try hold(play.model.watched == daemon.view, "\(play.model.watched) is asked for and \(daemon.view) is told")
            try hold(!play.model.isAwaited, "it waits for what has come")
            try hold(try play.model.snapshot == daemon.picture, "it shows another picture than that of \(daemon.view)")
        }
    }

    private func perform(_ step: Step, on play: inout Play) throws {
        switch step {
        case .message(.ticked(let ticking)) where !play.timers.contains(ticking): break
        case .message(let message): play.happen(message)
        case .picture(let snapshot):
            let base = play.model.snapshot ?? JokeSnapshot()
            let difference = SnapshotDifference(from: base, to: snapshot)
            play.happen(.changed(try base.applying(difference)))
        }
    }

    private func checkTimers(of play: Play) throws {
        let model = play.model
        try hold(play.timers.contains(.arrivals) == !model.arrivals.isEmpty, "marks and their timer do not agree")
        let size = model.layout.list
        guard size.columns >= 10 else { return }
        let isLoading = view(model).lines.prefix(size.rows).contains { $0.plainText.hasPrefix("  Loading\u{2026}") }
        let shimmers = isLoading && model.page == nil && model.link == .live
        try hold(play.timers.contains(.shimmer) == shimmers, "\(play.timers) for\n\(play.screen)")
    }

    private func checkWhole(_ model: Model) throws {
        let frame = view(model)
        try hold(frame.lines.count == model.size.rows, "\(frame.lines.count) lines on \(model.size)")
        for line in frame.lines {
            try hold(line.columns == model.size.columns, "\(line.columns) columns on \(model.size)")
        }
        let hasRows = (model.snapshot?.numberOfSections ?? 0) > 0
        try hold((model.cursor != nil) == hasRows && (model.top != nil) == hasRows, "the cursor is lost")
        guard hasRows, model.page == nil else { return }
        try hold(frame.lines.contains { $0.isSelected }, "the cursor is off the screen")
        let list = frame.lines.prefix(model.layout.list.rows)
        let isFilled = list.last.map { !$0.truncated(to: model.layout.list.columns).isBlank } ?? true
        let begins = model.snapshot?.sectionIdentifiers.first.map { Anchor(row: .header($0), line: 0) }
        try hold(isFilled || model.top == begins, "a gap is below the list while rows are above the screen")
    }
}

extension Line {
    fileprivate var isBlank: Bool { plainText.allSatisfy { $0 == " " } }
}

/// The same picture, built anew.
private func rebuilt(_ snapshot: JokeSnapshot) throws -> JokeSnapshot {
    var copy = JokeSnapshot()
    for section in snapshot.sections {
        try copy.appendSections([section])
        try copy.appendItems(snapshot.items(inSection: section.id), toSection: section.id)
    }
    return copy
}

private func shorterBySteps(_ steps: [Step]) -> [[Step]] {
    steps.indices.map { index in
        var rest = steps
        rest.remove(at: index)
        return rest
    }
}

private func steps(_ random: inout SplitMix64, size: Int) -> [Step] {
    (0..<size).map { _ in
        switch random.int(in: 0..<26) {
        case 0..<12: .message(.key(keys[random.int(in: 0..<keys.count)]))
        case 12..<16: .picture(randomPicture(&random))
        case 16:
            .message(.resized(Size(columns: random.int(in: 1..<130), rows: random.int(in: 1..<30))))
        case 17: .message(.away(reason: "gone", retryAt: noon))
        case 18: .message(.connecting)
        case 19, 20: .message(.ticked(random.chance(1, in: 2) ? .shimmer : .arrivals))
        case 21: .message(random.chance(1, in: 2) ? .sourcesAnswered(someSources) : .sourcesRefused("no"))
        case 22: .message(.mouse(randomMouse(&random)))
        case 23:
            .message(
                .hideAnswered(
                    JokeID(rawValue: "t:\(random.int(in: 0..<12))"), refusal: random.chance(1, in: 2) ? "no" : nil))
        default:
            .message(
                .starAnswered(
                    JokeID(rawValue: "t:\(random.int(in: 0..<12))"), refusal: random.chance(1, in: 2) ? "no" : nil))
        }
    }
}

private let keys = KeyTable.standard.bindings.flatMap(\.keys) + [.escape, .backspace, .character("x"), .character("/")]

private func randomMouse(_ random: inout SplitMix64) -> MouseEvent {
    let kinds: [MouseEvent.Kind] = [.click, .click, .wheelUp, .wheelDown]
    let position = Position(column: random.int(in: 0..<130), row: random.int(in: 0..<14))
    return MouseEvent(kinds[random.int(in: 0..<kinds.count)], position)
}

private func randomPicture(_ random: inout SplitMix64) -> JokeSnapshot {
    if random.chance(1, in: 12) { return JokeSnapshot() }
    if random.chance(1, in: 3) {
        let words = Array(0..<9).shuffled(using: &random).prefix(random.int(in: 0..<9)).map { "\($0)" }
        let favorites = (0..<random.int(in: 0..<4)).map { favorite("t:\($0)", "Favorite \($0)") }
        let count = words.count + random.int(in: 0..<3)
        return (try? found("n", words, favorites: favorites, count: count)) ?? JokeSnapshot()
    }
    let numbers = Array(0..<12).shuffled(using: &random).prefix(random.int(in: 0..<13))
    let jokes = numbers.map { number in
        joke(
            "t:\(number)", String(repeating: "word\(number) ", count: random.int(in: 1..<40)),
            random.chance(1, in: 2) ? "punch\n\(number)" : nil, isStarred: random.chance(1, in: 3))
    }
    let favorites = Array(0..<4).shuffled(using: &random).prefix(random.int(in: 0..<4))
    let header = JokesHeader(
        cached: random.int(in: 0..<14), lastSync: random.chance(1, in: 2) ? noon : nil,
        isSyncing: random.chance(1, in: 3),
        isOffline: random.chance(1, in: 3), failing: random.chance(1, in: 3) ? ["dad", "jokeapi"] : [])
    let picture = try? picture(
        favorites: favorites.map { favorite("t:\($0)", "Favorite \($0)") }, loading: random.int(in: 0..<4),
        jokes: jokes,
        header: header)
    return picture ?? JokeSnapshot()
}
