import Diffable
import JokesCore
import JokesProtocol
import Terminal

/// Changes the model by what happened, and says what is to be done. Pure. O(screen) for a key.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
    switch message {
    case .key(let key):
        model.notice = nil
        guard let action = model.keys.action(for: key) else {
            if key == .escape { model.helpTop = nil }
            return []
        }
        return model.helpTop == nil ? model.perform(action) : model.performInHelp(action)
    case .resized(let size):
        model.size = size
        model.showCursor()
        model.scrollHelp(by: 0)
    case .connecting:
        model.link = .connecting
    case .changed(let snapshot):
        model.link = .live
        model.adopt(snapshot)
    case .away(let reason, let retryAt):
        model.link = .away(reason: reason, retryAt: retryAt)
    case .starAnswered(let joke, let refusal):
        model.settleStar(joke, refusal: refusal)
    case .refreshAnswered(let sources):
        model.notice = refreshNotice(sources, clock: model.clock)
    case .refreshRefused(let reason):
        model.notice = Notice(text: reason, role: .bad)
    }
    return []
}

extension Model {
    /// Takes a new picture. The cursor stays on its row, or goes to the one that takes its place, and that row stays on
    /// its line of the screen; only at the very top the list stays there, so that what is new is seen.
    mutating func adopt(_ new: JokeSnapshot) {
        let old = rows
        let isAtTop = top.map { $0 == Anchor(row: old.first ?? $0.row, line: 0) } ?? true
        let line = cursor.flatMap { screenLine(of: $0) } ?? 0
        snapshot = new
        folded = folded.filter { new.containsSection($0) }
        revealed = revealed.filter { new.contains($0) }
        settleStars()
        let isFirst = cursor == nil
        cursor = cursor.map { old.heir(of: $0, in: rows) } ?? rows.first
        if isFirst, let first = rows.first, let second = rows.row(after: first) { cursor = second }
        guard let cursor, let first = rows.first else {
            top = nil
            return
        }
        if isAtTop { place(first, at: 0) } else { place(cursor, at: line) }
        showCursor()
    }
}

/// What came of asking the sources, in one sentence.
func refreshNotice(_ sources: [Wire.RefreshedSource], clock: LocalClock) -> Notice {
    let busy = sources.filter { $0.state == .started || $0.state == .alreadyRunning }
    if !busy.isEmpty {
        return Notice(text: "Asking \(busy.map(\.name).joined(separator: ", ")).", role: .plain)
    }
    let waits = sources.compactMap { $0.state == .tooSoon ? $0.retryAfterMs ?? 0 : nil }
    if let wait = waits.min() {
        let moment = clock.now.advanced(by: .milliseconds(wait))
        return Notice(text: "Every source was just asked; again from \(clock.timeOfDay(moment)) on.", role: .plain)
    }
    return Notice(text: "No source can be asked.", role: .warning)
}
