import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The last line of the screen: what there is to say, and where help is; or the last lines, for a refusal that one
    /// does not hold, until the next key.
    var statusLines: [Line] {
        notice.map { lines(of: $0) } ?? [standingLine]
    }

    /// How many lines of the list a refusal takes; where details are below it, it takes theirs.
    var linesUnderStatus: Int {
        guard notice?.role == .bad, page == nil, search?.isTyping != true else { return 0 }
        if case .below = layout.details { return 0 }
        return statusLines.count - 1
    }

    private func lines(of notice: Notice) -> [Line] {
        let width = max(1, size.columns - 2)
        // Who is told that something failed is told as well that it fails until the daemon is back.
        let away: [Clause] = if case .away = link { statusClauses.0 } else { [] }
        let words = fitting([[inOneLine(notice.text)]] + away, in: width)
        let most = notice.role == .bad && width >= narrowestForLines ? max(1, min(3, (size.rows + 1) / 3)) : 1
        let lines = words.columns > width ? lines(of: notice.text, to: width, atMost: most) : [words]
        return lines.map { Line(" " + $0, Style([], notice.role)).fitted(to: size.columns) }
    }

    /// All of a notice where the lines hold it, else what to do, behind as much of the rest as there is room for.
    private func lines(of text: String, to width: Int, atMost most: Int) -> [String] {
        guard let end = text.lastIndex(of: "\n") else {
            return most == 1 ? [text] : wrapped(text, to: width, atMost: most)
        }
        let (reason, hint) = (String(text[..<end]), String(text[end...].dropFirst()))
        if most == 1 { return [hint.columns <= width ? hint : reason] }
        let all = wrapped(joined(reason, hint), to: width)
        if all.count <= most { return all }
        let last = wrapped(hint, to: width, atMost: most - 1)
        return wrapped(reason, to: width, atMost: most - last.count) + last
    }

    private var standingLine: Line {
        let help = page == nil ? "\(keys.name(of: .help)) help" : helpOnPage
        let (clauses, role) = statusClauses
        let words = Line(" " + fitting(clauses, in: size.columns - help.columns - 3), Style([], role))
        return .justified(words, Line(help + " ", .muted), to: size.columns)
    }

    /// How to go on in a page that has more, where there is room to say it, and how to leave it.
    private var helpOnPage: String {
        let back = "\(keys.name(of: .quit)) back"
        return isPageCutOff && size.columns >= 40 ? "\(keys.name(of: .down)) more \u{00B7} \(back)" : back
    }

    private var statusClauses: ([Clause], ColorRole) {
        switch link {
        case .connecting:
            return ([["connecting\u{2026}"]] + cacheClauses, .warning)
        case .away(let reason, _, let retryAt):
            let next = "next try \(clock.timeOfDay(retryAt))"
            return (
                [
                    ["daemon unreachable \u{B7} \(next)", "no daemon \u{B7} \(next)", "no daemon"],
                    ["\(keys.name(of: .refresh)) retries now"], [reason],
                ], .bad
            )
        case .live:
            if search != nil { return (searchClauses, role) }
            return (arrivalClauses + cacheClauses, role)
        }
    }

    private var role: ColorRole {
        let isWell = lastHeader.map { !$0.isOffline && $0.failing.isEmpty && !$0.isRecovered } ?? true
        return isWell ? .muted : .warning
    }

    /// What was wrong when the search began, of which no picture of a search tells more; and how to leave it.
    private var searchClauses: [Clause] {
        var header = lastHeader ?? JokesHeader()
        // That is over in a moment.
        header.isSyncing = false
        let troubles = troubleClauses(header)
        let short = troubles.compactMap(\.last).joined(separator: ", ")
        let trouble = [
            words(of: header, "when the search began"), words(of: header, "earlier"), "earlier: \(short)", "",
        ]
        return (troubles.isEmpty ? [] : [trouble]) + (isAwaited ? [["searching\u{2026}"]] : []) + [
            ["Esc shows all jokes", "Esc cancels"], ["\(keys.name(of: .search)) edits the search"],
        ]
    }

    /// The trouble that there was at the time.
    private func words(of header: JokesHeader, _ time: String) -> String {
        var parts = header.isRecovered ? ["database recovered: see jokesctl status"] : []
        if header.isOffline {
            parts.append("offline \(time)")
        } else if !header.failing.isEmpty {
            parts.append("failing \(time): \(header.failing.joined(separator: ", "))")
        }
        return parts.joined(separator: ", ")
    }

    /// How the cache stands.
    private var cacheClauses: [Clause] {
        guard let header = jokesHeader else { return [] }
        let isFailing = header.isOffline || !header.failing.isEmpty
        return troubleClauses(header) + (isFailing ? [["\(keys.name(of: .sources)) shows why"]] : [])
            + [cachedClause(header), syncClause(header, clock)]
    }

    /// What has just come, which may be above the screen.
    private var arrivalClauses: [Clause] {
        arrivals.isEmpty ? [] : [[counted(arrivals.count, "new joke"), "\(arrivals.count) new"]]
    }
}

/// The error and its hint, with a period between them if the error has none.
private func joined(_ reason: String, _ hint: String) -> String {
    let isClosed = reason.hasSuffix(".") || reason.hasSuffix(":")
    return reason + (isClosed ? " " : ". ") + hint
}

/// The text of a notice in one line.
private func inOneLine(_ text: String) -> String {
    var whole = text
    if let end = text.lastIndex(of: "\n") { whole = joined(String(text[..<end]), String(text[end...].dropFirst())) }
    return whole.split(separator: "\n").joined(separator: " ")
}

/// On fewer columns a refusal has one line: more of them would hold few words more.
private let narrowestForLines = 16
