import Diffable
import JSON5
import JokesCore
import Terminal
import TextLayout

/// Changes the model by a message, and returns the effects. Pure. O(screen) for a key.
func update(_ model: inout Model, _ message: Message) -> [Effect] {
    let (cursor, height) = (model.cursor, model.listHeight)
    let effects = handle(message, &model) + model.followCursor()
    if model.cursor != cursor { model.showStartOfDetails() }
    model.scrollPage(by: 0)
    if model.detailTop > 0 { model.scrollDetails(by: 0) }
    // The text below the last row may be shorter now.
    model.fill()
    if model.listHeight < height { model.showCursor() }
    return effects + model.requestExclusion() + model.followReading()
}

private func handle(_ message: Message, _ model: inout Model) -> [Effect] {
    switch message {
    case .input(.key(let key)): return model.press(key)
    case .input(.mouse(let mouse)): return model.handle(mouse)
    case .input(.pasted(let text)): return model.paste(text)
    case .resized(let size):
        model.size = size
        model.showCursor()
    case .connecting:
        model.lose(.connecting)
    case .changed(let snapshot):
        if model.link != .live {
            (model.notice, model.link) = (nil, .live)
            model.show()
        }
        if case .answer = model.waiting?.awaited { return [] }
        model.exclusion?.isOutdated = true
        return model.adopt(snapshot) + model.refreshPages() + model.requestNews() + model.resume()
    case .unreachable(let reason, let hint, let retryAt):
        if model.link == .live || model.link == .connecting { model.notice = nil }
        model.lose(.unreachable(reason: reason, hint: hint, retryAt: retryAt))
    case .answered(let request, let answer):
        return model.handle(answer, to: request) + model.endWait(for: request, isRefused: answer.refusal != nil)
    case .copyAnswered(let refusal):
        model.notice =
            refusal.map { Notice(text: $0.words, role: .warning) } ?? Notice(text: "Sent to the terminal's clipboard")
    case .openAnswered(let url, let refusal, let time):
        // A later failure does not mean that the URL was not opened: some browsers run until their window is closed.
        if let refusal, time < .seconds(5) { model.notice = Notice(text: "\(refusal): \(url)", role: .bad) }
    case .noteEdited(let text, let refusal): model.handleEditor(text, refusal: refusal)
    case .jokesctlAnswered(let output, let hasFailed): return model.handleJokesctl(output, hasFailed: hasFailed)
    case .settingsRead(let result): return model.adopt(result)
    case .readingEnded: return model.endReading()
    }
    return []
}

extension Model {
    /// Adopts the state of a connection that is not live. The keys that wait were for a daemon that answers.
    fileprivate mutating func lose(_ link: LinkState) {
        (self.link, waiting) = (link, nil)
        show()
    }

    fileprivate mutating func handle(_ answer: Answer, to request: Request) -> [Effect] {
        switch (request, answer) {
        case (.favorite(let joke, let isFavorite, let note), .done):
            acceptFavorite(joke, isFavorite: isFavorite, note: note)
        case (.hide(let joke, let isHidden), .done): acceptHiding(joke, isHidden: isHidden)
        case (.undo, .undone(let reply)): acceptUndo(reply)
        case (.markSeen(_, let isSeen), .done):
            // Reading marks a joke without a notice.
            guard waiting?.awaited == .answer(request) else { break }
            notice = Notice(text: "Marked as \(isSeen ? "seen" : "unseen"); \(keys.name(of: .seen)) undoes")
        case (.refresh, .refreshed(let sources)): acceptRefresh(of: sources)
        case (.sources, _): return handleSources(answer)
        case (.testSource(let name), .sample(let sample)): handleTest(of: name, .done(sample))
        case (.testSource(let name), .refused(let reason)): handleTest(of: name, .failed(reason))
        case (.random, _): return handleRandom(answer)
        case (.statistics, _): return handleFilterCounts(answer)
        case (.hidden, _): return handleHiddenJokes(answer)
        case (.joke(let joke), .notShown(let reason)): if exclusion?.joke == joke { exclusion?.reason = reason }
        case (.markAllSeen, .count(let count)): notice = Notice(text: "\(counted(count, "joke")) marked as seen")
        case (.joke, .refused): break
        case (_, .refused(let reason)): notice = Notice(text: reason, role: .bad)
        default: break
        }
        return []
    }

    private mutating func acceptRefresh(of sources: [RefreshedSource]) {
        let busy = sources.filter { $0.state == .started || $0.state == .alreadyRunning }.map(\.name)
        refreshed = busy.isEmpty ? nil : busy
        if !busy.isEmpty {
            notice = Notice(text: "Refreshing \(busy.joined(separator: ", "))")
        } else if let wait = sources.compactMap({ $0.state == .tooSoon ? $0.retryAfterMs ?? 0 : nil }).min() {
            let time = clock.timeOfDay(clock.now.advanced(by: .milliseconds(wait)))
            let subject = sources.count == 1 ? "\(sources[0].name): too" : "Too"
            notice = Notice(text: "\(subject) soon to refresh; try again at \(time)")
        } else {
            let words = "No source can be refreshed; \(keys.name(of: .sources)) shows why"
            notice = Notice(text: words, role: .warning)
        }
    }

    mutating func adopt(_ new: JokeSnapshot) -> [Effect] {
        if let request = keepCursor(in: new) { return request }
        let filtered = watched.selection == shownView?.selection ? nil : cursor
        let isFirstOfQuery = watched.query != nil && watched.query != shownView?.query
        lastHeader = new.header ?? lastHeader
        // The notice may say that the search is running.
        if isSearching { notice = nil }
        shownView = watched
        waiting?.awaited = .hiddenJokes
        show(new)
        if let filtered, !rows.contains(filtered) { go(to: rows.item(0, in: listed)) }
        if isFirstOfQuery { selectFirstMatch() } else { selectExpectedRow() }
        expectedRow = nil
        return []
    }

    /// Shows a snapshot, or the current one for another state of the connection. The cursor stays on its row or moves to
    /// the replacement, at the same line of the screen. If the list was at its top, it stays there, so that new jokes are
    /// visible.
    mutating func show(_ new: JokeSnapshot? = nil) {
        guard let new = (new ?? snapshot)?.withLoadingRows(atMost: link == .live ? 1 : 0) else { return }
        let old = rows
        let isAtTop = top.map { $0 == Anchor(row: old.first ?? $0.row, line: 0) && !old.hasMore(above: $0.row) } ?? true
        let line = cursor.flatMap { screenLine(of: $0) } ?? 0
        snapshot = new
        // During a search, the state of the jokes is kept.
        let isSearch = new.containsSection(.searchResults)
        let hadBoth = old.snapshot.containsSection(.searchResults) && old.snapshot.containsSection(.favoriteJokes)
        if isSearch, new.containsSection(.favoriteJokes), !hadBoth { foldFavorites() }
        folded = folded.filter { new.containsSection($0) || (isSearch && $0 != .searchResults) }
        revealed = revealed.filter { new.contains($0) || isSearch }
        cursor = cursor.flatMap { old.hasJokes ? old.replacement(of: $0, in: rows) : nil } ?? firstCursor()
        guard let cursor, let first = rows.first else {
            top = nil
            return
        }
        if isAtTop { place(first, at: 0) } else { place(cursor, at: line) }
        showCursor()
    }

    /// The first joke of the list, else a header. Favorites that would fill the screen are folded.
    private mutating func firstCursor() -> RowID? {
        if rows.position(of: .header(listed))?.section == 1,
            rows.snapshot.numberOfItems(inSection: .favoriteJokes) + 3 > listHeight
        {
            foldFavorites()
        }
        return rows.item(0, in: listed) ?? (rows.contains(.header(listed)) ? .header(listed) : rows.first)
    }

    /// Moves the cursor to the expected row. A row that is not in the new view will not appear.
    private mutating func selectExpectedRow() {
        guard let expectedRow, rows.contains(expectedRow.row) else { return }
        if let line = expectedRow.line { place(expectedRow.row, at: line) }
        go(to: expectedRow.row)
    }

    /// Moves the cursor to the first search result, under its header at the top of the screen.
    private mutating func selectFirstMatch() {
        guard rows.snapshot.containsSection(.searchResults) else { return }
        folded.remove(.searchResults)
        place(rows.firstRow(of: .searchResults), at: 0)
        go(to: rows.firstItem(of: .searchResults) ?? .header(.searchResults))
    }
}

extension JokeSnapshot {
    /// One row stands for all that are loading, as long as a daemon loads them.
    func withLoadingRows(atMost count: Int) -> JokeSnapshot {
        var shown = self
        let loading = itemIdentifiers(inSection: .jokes).prefix { if case .loading = $0 { true } else { false } }
        // All of them exist, so this does not throw.
        try? shown.deleteItems(Array(loading.dropFirst(count)))
        return shown
    }
}

extension Model {
    /// Adopts new settings. If their file has errors, keeps the old ones and shows the first error.
    mutating func adopt(_ result: Result<Settings, ConfigurationError>) -> [Effect] {
        switch result {
        case .success(let settings):
            keys = settings.keys
            if let wrapsRows = settings.wrapsRows, wrapsRows != self.wrapsRows { toggleWrapping() }
            notice = Notice(text: "Settings reloaded")
            return [.applySettings(settings)]
        case .failure(let error):
            notice = Notice(text: error.firstSentence, role: .warning)
            return []
        }
    }
}

extension ConfigurationError {
    /// The first error, with the name of the file but not its folder, for a line of the screen.
    fileprivate var firstSentence: String {
        guard case .invalid(let file, let problems) = self, let first = problems.first else { return description }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return ConfigurationError.mistakes([first], in: name).description
    }
}
