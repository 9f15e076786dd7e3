import Diffable
import JokesCore
import TextLayout

extension Item {
    /// True for a joke that was served as a random joke or joke of the day, or read here.
    var isSeen: Bool { joke?.isSeen == true }

    /// Also false for favorites and other rows.
    var isUnseen: Bool { joke?.isSeen == false }
}

// MARK: Reading

extension Model {
    /// Starts the timer for an unseen joke whose whole text has come on the screen: the one at the cursor, if it has no
    /// punchline or shows it. Called after each message.
    mutating func followReading() -> [Effect] {
        if keptUnseen != jokeAtCursor { keptUnseen = nil }
        let before = reading
        reading = nil
        guard link == .live, isListShown, case .item(let id) = cursor,
            let item = itemAtCursor, item.isUnseen,
            id.joke != keptUnseen, item.content?.text.punchline == nil || revealed.contains(id)
        else { return [] }
        reading = id.joke
        return reading == before ? [] : [.startReading]
    }

    var isReading: Bool { reading != nil }

    /// Marks the joke that was read as seen.
    mutating func endReading() -> [Effect] { reading.map { [.send(.markSeen($0, isSeen: true))] } ?? [] }

    mutating func toggleSeen() -> [Effect] {
        guard let item = shownItem, let joke = item.id.joke, isConnected(else: "Not marked: not connected") else {
            return []
        }
        if case .favorite = item {
            notice = Notice(text: "Favorites are not marked as seen")
            return []
        }
        let isSeen = item.isUnseen
        keptUnseen = isSeen ? nil : joke
        return change(.markSeen(joke, isSeen: isSeen))
    }

    /// Marks all jokes that the filters select as seen, if the key is pressed again.
    mutating func markAllSeen() -> [Effect] {
        guard isConnected(else: "Not marked: not connected") else { return [] }
        guard confirmsAllSeen else {
            confirmsAllSeen = true
            let count = search == nil ? snapshot?.sections.last.map(\.jokeCount) ?? 0 : lastHeader?.shown ?? 0
            let which = filterNames.isEmpty ? "" : " of the filter"
            notice = Notice(
                text: "Press \(keys.name(of: .allSeen)) to mark all \(count) jokes\(which) as seen; there is no undo",
                role: .warning)
            return []
        }
        return change(.markAllSeen(selection))
    }
}
