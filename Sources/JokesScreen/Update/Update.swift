import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// Changes the model by a message, and returns the effects. Pure. O(screen) for a key.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    let (cursor, arrivals, height) = (model.cursor, model.arrivals, model.listHeight)
    let wasAwaiting = model.awaitsPicture
    var effects = take(message, &model)
    if model.cursor != cursor { model.detailTop = 0 }
    model.scrollPage(by: 0)
    if model.detailTop > 0 { model.scrollDetails(by: 0) }
    // The text below the last row may be shorter now.
    model.fill()
    if model.listHeight < height { model.showCursor() }
    effects += model.followShimmer(after: message) + model.followArrivals(before: arrivals, after: message)
    effects += model.followMarks(before: wasAwaiting, after: message)
    return effects
}

private func take(_ message: Message, _ model: inout Model) -> [Effect] {
    switch message {
    case .key(let key):
        model.notice = nil
        if model.search?.isTyping == true { return model.typeInPrompt(key) }
        // Escape always leads back, even if it is bound to an action.
        if key == .escape, model.page != nil || model.search != nil { return model.leave() }
        guard let action = model.keys.action(for: key) else { return [] }
        if action == .section, model.page == nil { model.goToSection(model.keys.section(of: key)) }
        return model.page == nil ? model.perform(action) : model.performOnPage(action)
    case .mouse(let mouse):
        return model.take(mouse)
    case .pasted(let text):
        model.notice = nil
        return model.paste(text)
    case .resized(let size):
        model.size = size
        model.showCursor()
    case .connecting:
        model.link = .connecting
    case .changed(let snapshot):
        if model.link != .live { model.notice = nil }
        model.link = .live
        let header = model.lastHeader
        model.adopt(snapshot)
        model.endNotice(before: header)
        return model.askSources()
    case .away(let reason, let hint, let retryAt):
        if model.link == .live || model.link == .connecting { model.notice = nil }
        model.link = .away(reason: reason, hint: hint, retryAt: retryAt)
    case .markAnswered(let mark, let refusal):
        model.settle(mark, refusal: refusal)
    case .refreshAnswered(let sources):
        model.notice = refreshNotice(sources, clock: model.clock, keys: model.keys)
    case .refreshRefused(let reason):
        model.notice = Notice(text: reason, role: .bad)
    case .refreshFoundNoSource:
        let all = model.keys.name(of: .refresh)
        model.notice = Notice(text: "No source to refresh for this joke; \(all) refreshes all sources")
    case .copyAnswered(let refusal):
        model.takeCopyAnswer(refusal: refusal)
    case .openAnswered(let url, let refusal, let time):
        model.takeOpenAnswer(url, refusal: refusal, after: time)
    case .sourcesAnswered(let sources): return model.takeSources(sources)
    case .sourcesRefused(let reason): return model.takeSources(nil, refusal: reason)
    case .ticked(.shimmer): break
    case .ticked(.arrivals): model.arrivals = []
    case .ticked(.marks): model.settleAnswered()
    }
    return []
}

extension Model {
    /// Removes a notice that the new snapshot makes obsolete.
    fileprivate mutating func endNotice(before: JokesHeader?) {
        let hasNews = before.map { lastHeader?.hasNews(since: $0) ?? false } ?? true
        if notice?.end == .picture || (notice?.end == .news && hasNews) { notice = nil }
    }
}

extension JokesHeader {
    /// True if a sync has ended, or the state of the sources has changed.
    fileprivate func hasNews(since old: JokesHeader) -> Bool {
        (old.isSyncing && !isSyncing) || old.isOffline != isOffline || old.failing != failing
    }
}

/// The notice about a refresh.
func refreshNotice(_ sources: [Wire.RefreshedSource], clock: LocalClock, keys: KeyTable) -> Notice {
    let busy = sources.filter { $0.state == .started || $0.state == .alreadyRunning }
    if !busy.isEmpty {
        return Notice(text: "Refreshing \(busy.map(\.name).joined(separator: ", "))", end: .news)
    }
    let waits = sources.compactMap { $0.state == .tooSoon ? $0.retryAfterMs ?? 0 : nil }
    if let wait = waits.min() {
        let moment = clock.now.advanced(by: .milliseconds(wait))
        let subject = sources.count == 1 ? "\(sources[0].name): too" : "Too"
        return Notice(
            text: "\(subject) soon to refresh; try again at \(clock.timeOfDay(moment))", end: .news)
    }
    return Notice(text: "No source can be refreshed; \(keys.name(of: .sources)) shows why", role: .warning, end: .news)
}
