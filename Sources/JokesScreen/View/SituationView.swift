import Diffable
import JokesCore
import Terminal
import TextLayout

// What is said in place of rows, and what to do about it.

extension Model {
    /// What is shown before the first picture.
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

    /// What is shown below the header of a last section that has no row; nothing where it has some or they are on the way.
    /// Whatever is above the header, there are no more of them than are on the screen with it. O(screen).
    var emptyLines: [Line] {
        guard link == .live, let snapshot, let section = snapshot.sections.last, !folded.contains(section.id),
            snapshot.numberOfItems(inSection: section.id) == 0
        else { return [] }
        let wordings = emptyWords(of: section).map(paragraph)
        // Where the list is longer than the screen, they are seen when it is scrolled to its end.
        for room in [linesBelowList, listHeight - 1] {
            if let fit = wordings.first(where: { $0.count < room }) { return [Line()] + fit }
            if let shortest = wordings.last, shortest.count <= room { return shortest }
        }
        return Array((wordings.last ?? []).prefix(max(0, listHeight - 1)))
    }

    /// Lines of the screen that are left below the last row where the list begins at the top; O(screen).
    private var linesBelowList: Int {
        var room = listHeight
        var row = rows.first
        while let current = row, room > 0 {
            room -= lines(of: current).count
            row = rows.row(after: current)
        }
        return room
    }

    /// What there is to say of a section without rows, in several wordings, the longest first.
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
