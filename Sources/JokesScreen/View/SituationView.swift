import Diffable
import JokesCore
import Terminal
import TextLayout

// Texts in place of rows.

extension Model {
    /// The text before the first snapshot.
    var waitingLines: [Line] {
        switch link {
        case .connecting, .live: paragraph("Connecting to the daemon\u{2026}")
        case .away(let reason, let hint, let retryAt):
            paragraph(
                "Daemon unreachable. Next try at \(clock.timeOfDay(retryAt)); \(keys.name(of: .refresh)) retries, "
                    + "\(keys.name(of: .quit)) quits.")
                + [Line()] + paragraph(reason) + (hint.map { [Line()] + paragraph($0) } ?? [])
        }
    }

    /// The text below an empty last section, if it fits the screen with its header. O(screen)
    var emptyLines: [Line] {
        guard link == .live, let snapshot, let section = snapshot.sections.last, !folded.contains(section.id),
            snapshot.numberOfItems(inSection: section.id) == 0
        else { return [] }
        let wordings = emptyWords(of: section).map(paragraph)
        // If the list is longer than the screen, the text is visible at its end.
        for room in [linesBelowList, listHeight - 1] {
            if let fit = wordings.first(where: { $0.count < room }) { return [Line()] + fit }
            if let shortest = wordings.last, shortest.count <= room { return shortest }
        }
        return Array((wordings.last ?? []).prefix(max(0, listHeight - 1)))
    }

    /// The free lines below the list if it starts at the top; O(screen).
    private var linesBelowList: Int {
        var room = listHeight
        var row = rows.first
        while let current = row, room > 0 {
            room -= lines(of: current).count
            row = rows.row(after: current)
        }
        return room
    }

    /// The wordings for an empty section, the longest first.
    private func emptyWords(of section: Section) -> Clause {
        switch section {
        case .jokes(let header) where header.isSyncing: ["Syncing the sources\u{2026}"]
        case .jokes(let header): emptyWords(of: header)
        case .searchResults where isAwaited: []
        case .searchResults:
            [
                "No jokes found. Try a shorter word; Esc shows all jokes.",
                "No jokes found. Esc shows all.",
            ]
        case .favoriteJokes, .unknown: []
        }
    }

    private func emptyWords(of header: JokesHeader) -> Clause {
        let (refresh, sources) = (keys.name(of: .refresh), keys.name(of: .sources))
        if header.isOffline {
            return [
                "No jokes to show, and no source is reachable. Press \(refresh) to retry, \(sources) to see why.",
                "Offline. \(refresh) retries and \(sources) shows why.",
            ]
        }
        guard let lastSync = header.lastSync else {
            let failing = header.failing.isEmpty ? "" : " Press \(sources) to see why sources fail."
            return [
                "No jokes to show: none is cached yet, or all are hidden or excluded by the filter. "
                    + "Press \(refresh) to refresh.\(failing)",
                "No jokes to show. \(refresh) refreshes.",
            ]
        }
        return [
            "Last sync: \(clock.words(for: lastSync)). All jokes are hidden or excluded by the filter. "
                + "Press \(sources) for details, run jokesctl unhide to show a joke again, "
                + "or edit the filter in jokesd's configuration.",
            "All jokes are hidden or filtered out; \(sources) shows more.",
        ]
    }

    private func paragraph(_ text: String) -> [Line] {
        wrapped(text, to: max(1, listWidth - 2)).map { Line("  ") + $0 }
    }
}
