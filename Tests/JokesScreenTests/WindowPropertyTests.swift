import Diffable
import JokesCore
import Terminal
import TestSupport
import Testing

@testable import JokesScreen

/// The properties of windows, for any number of jokes, any size of the window and of the screen, and any delay of the daemon.
@Suite struct WindowPropertyTests {
    private struct Run: CustomStringConvertible {
        let jokes: Int
        let rows: Int
        let minWindow: Int
        let feedSize: Int
        let favorites: Int
        /// True for the results of a search that finds every joke.
        let isSearch: Bool
        let seed: UInt64

        var description: String {
            "\(jokes) jokes, \(favorites) favorites, \(rows) rows, windows of \(minWindow), feed \(feedSize), "
                + "search \(isSearch), seed \(seed)"
        }
    }

    private func run(_ random: inout SplitMix64, size: Int) -> Run {
        Run(
            jokes: random.int(in: 0..<20 * size + 2), rows: random.int(in: 3..<14), minWindow: random.int(in: 20..<60),
            feedSize: random.int(in: 1..<60), favorites: random.int(in: 0..<(random.chance(1, in: 2) ? 2 : 120)),
            isSearch: random.chance(1, in: 3), seed: random.next())
    }

    private func begin(_ run: Run) throws -> (Play, AnsweringDaemon) {
        var play = Play(columns: 60, rows: run.rows, minWindow: run.minWindow)
        var daemon = AnsweringDaemon(jokes: run.jokes, feedSize: run.feedSize, favorites: run.favorites)
        try settle(&play, &daemon)
        if run.isSearch {
            play.search("joke")
            try settle(&play, &daemon)
        }
        return (play, daemon)
    }

    /// Sends the effects to the daemon, and returns its snapshot, if one is due.
    private func answer(_ play: inout Play, _ daemon: inout AnsweringDaemon) throws -> Bool {
        for effect in play.takeEffects() { daemon.perform(effect) }
        guard let snapshot = try daemon.nextSnapshot() else { return false }
        play.happen(snapshot)
        let sections: [Section.ID] = [.jokes, .searchResults]
        let held = sections.reduce(0) { $0 + (play.model.snapshot?.numberOfItems(inSection: $1) ?? 0) }
        try verify(held <= max(3 * play.model.windowSize, daemon.feedSize), "the model holds \(held) jokes")
        return true
    }

    private func settle(_ play: inout Play, _ daemon: inout AnsweringDaemon, maxWindows: Int = 9) throws {
        var count = 0
        while try answer(&play, &daemon) {
            count += 1
            try verify(count <= maxWindows, "the viewer requests windows forever")
        }
    }

    @Test("down from the first row and up from the last one show each joke once, in order, while new jokes come")
    func eachJoke() throws {
        try checkProperty("each joke", cases: 30, maxSize: 12, generate: run) { run in
            var random = SplitMix64(seed: run.seed)
            var (play, daemon) = try begin(run)
            let all = daemon.shown
            play.type("g")
            try settle(&play, &daemon)
            let down = try walk(.down, &play, &daemon, &random)
            // Without favorites, the first joke is the first row.
            try verify(down == Array(all.dropFirst(run.favorites == 0 ? 1 : 0)), "down shows \(down)")
            let up = try walk(.up, &play, &daemon, &random)
            try verify(up == Array(daemon.shown.reversed().dropFirst()), "up shows \(up)")
        }
    }

    /// Presses the key until the cursor stays, and returns the jokes of the list under the cursor.
    private func walk(
        _ key: Key, _ play: inout Play, _ daemon: inout AnsweringDaemon, _ random: inout SplitMix64
    ) throws -> [JokeID] {
        var seen: [JokeID] = []
        var last = play.model.cursor
        func hasMoved() -> Bool {
            defer { last = play.model.cursor }
            if case .item(.joke(let joke)) = play.model.cursor, play.model.cursor != last { seen.append(joke) }
            return play.model.cursor != last
        }
        while true {
            play.press(key)
            var isWaiting = !hasMoved()
            // Further keys would wait too, and then move over several jokes at once.
            if play.isJumping {
                try settle(&play, &daemon)
                isWaiting = !hasMoved()
            }
            if random.chance(1, in: 60), case .item(.joke) = play.model.cursor {
                daemon.add(random.int(in: 1..<80))
                // If the cursor were on the header by then, the new jokes would be below it. Now they are above the cursor,
                // which may have been on the first row.
                if key == .up {
                    try settle(&play, &daemon)
                    isWaiting = false
                }
            }
            if isWaiting || random.chance(1, in: 3) {
                let hasAnswer = try answer(&play, &daemon)
                if !hasMoved() && isWaiting && !hasAnswer { return seen }
            }
        }
    }

    @Test("the cursor keeps its joke and its line, unless a key moves it, whatever the daemon answers")
    func cursor() throws {
        let keys: [Key] =
            "jjjkkkGgn]/1 ".map { .character($0) } + [.pageDown, .pageDown, .pageUp, .control("d"), .enter, .escape]
        var kept = 0
        try checkProperty("cursor", cases: 40, maxSize: 12, generate: run) { run in
            var random = SplitMix64(seed: run.seed)
            var (play, daemon) = try begin(run)
            for _ in 0..<50 {
                for _ in 0..<random.int(in: 0..<6) { play.press(keys[random.int(in: 0..<keys.count)]) }
                if random.chance(1, in: 6) { daemon.add(random.int(in: 1..<60)) }
                if random.chance(1, in: 6) { daemon.hide(random.int(in: 0..<daemon.numbers.upperBound + 1)) }
                let (cursor, line) = (play.model.cursor, play.cursorLine)
                let isFree = play.model.expectedRow == nil && !play.isJumping
                let isSearch = play.model.snapshot?.containsSection(.searchResults) == true
                let (top, first) = (play.model.top?.row, play.firstRow)
                guard random.chance(2, in: 3), try answer(&play, &daemon) else { continue }
                guard isFree, case .item(.joke(let joke)) = cursor, daemon.shown.contains(joke) else { continue }
                // The results of another query may lack it.
                if isSearch || play.model.search != nil { continue }
                try verify(
                    play.model.cursor == cursor, "\(joke) lost the cursor to \(String(describing: play.model.cursor))")
                kept += 1
                // At the top, new jokes come into view; at the end, hidden jokes leave room.
                if top != first, play.model.rowsBelowScreen {
                    try verify(play.cursorLine == line, "the list has moved:\n\(play.screen)")
                }
            }
        }
        #expect(kept > scaled(40))
    }

    @Test("moves in one direction lead to the same joke, whether the jokes come before the next key or later")
    func bursts() throws {
        let keys: [Key] = [.down, .pageDown, .control("d"), .up, .pageUp, .control("u")]
        try checkProperty("bursts", cases: 60, maxSize: 30, generate: run) { run in
            var random = SplitMix64(seed: run.seed)
            var (slow, daemon) = try begin(run)
            var (fast, daemonOfFast) = (slow, daemon)
            for _ in 0..<6 {
                let first = random.chance(1, in: 2) ? 0 : 3
                for _ in 0..<random.int(in: 1..<40) {
                    let key = keys[first + random.int(in: 0..<3)]
                    slow.press(key)
                    try settle(&slow, &daemon)
                    fast.press(key)
                    if random.chance(1, in: 10) { _ = try answer(&fast, &daemonOfFast) }
                }
                try settle(&fast, &daemonOfFast, maxWindows: 100)
                try verify(
                    fast.model.cursor == slow.model.cursor && fast.model.top == slow.model.top,
                    "slow:\n\(slow.screen)\nfast:\n\(fast.screen)")
            }
        }
    }

    @Test("no key waits if the daemon answers at once, but G, g and moves from favorites; each leads to its joke")
    func noWaiting() throws {
        let keys: [Key] = [
            .down, .up, .pageDown, .pageUp, .control("d"), .control("u"), .character("G"), .character("g"),
        ]
        try checkProperty("no waiting", cases: 30, maxSize: 12, generate: run) { run in
            var random = SplitMix64(seed: run.seed)
            var (play, daemon) = try begin(run)
            for _ in 0..<30 {
                let key = keys[random.int(in: 0..<keys.count)]
                for _ in 0..<random.int(in: 1..<12) {
                    let wasAbove = play.isAboveList
                    play.press(key)
                    let isJump = play.isJumping
                    try settle(&play, &daemon)
                    try verify(play.model.isSettled, "the jump does not end")
                    guard isJump else { continue }
                    let end: RowID?
                    switch key {
                    case .character("G"): end = daemon.shown.last.map { .item(.joke($0)) }
                    case .character("g"): end = play.firstRow
                    default:
                        try verify(wasAbove, "\(key) waits:\n\(play.screen)")
                        continue
                    }
                    try verify(play.model.cursor == end, "\(key) goes to \(String(describing: play.model.cursor))")
                }
            }
        }
    }
}

extension Play {
    /// True if the cursor is on a row of the favorites.
    fileprivate var isAboveList: Bool {
        switch model.cursor {
        case .header(.favoriteJokes), .item(.favorite): true
        default: false
        }
    }

    /// True if a key waits for jokes that are not loaded.
    fileprivate var isJumping: Bool { model.waiting?.awaited == .jokes }
}

extension Model {
    /// True if rows of the list are below the screen.
    fileprivate var rowsBelowScreen: Bool {
        var further = self
        for _ in 0..<3 { _ = update(&further, .mouse(MouseEvent(.wheelDown, Position(column: 0, row: 0)))) }
        return further.top != top
    }
}
