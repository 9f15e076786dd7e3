import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The last lines of the screen: a notice, the state of the connection, or the keys that matter here. A refusal or a
    /// warning may take several lines, until the next key.
    var footerLines: [Line] { notice.map { lines(of: $0) } ?? [standingLine] }

    /// The number of footer lines.
    var footerHeight: Int {
        guard let notice, notice.role != .plain, !isTyping else { return 1 }
        return footerLines.count
    }

    private func lines(of notice: Notice) -> [Line] {
        let width = max(1, size.columns - 2)
        // A notice also shows that the daemon is unreachable.
        let unreachable: [Clause] = if case .unreachable = link { connectionClauses } else { [] }
        let words = fitting([[notice.sentences]] + unreachable, in: width)
        let maxLines = notice.role != .plain && width >= 16 ? max(1, min(3, (size.rows + 1) / 3)) : 1
        let style = Style([], notice.role)
        let lines =
            words.columns > width ? lines(of: notice, style, to: width, atMost: maxLines) : [Line(words, style)]
        return lines.map { (Line(" ") + $0).fitted(to: size.columns) }
    }

    /// The whole notice if it fits, else the hint with as much of the reason as fits.
    private func lines(of notice: Notice, _ style: Style, to width: Int, atMost maxLines: Int) -> [Line] {
        let (reason, hint) = notice.parts
        if maxLines == 1 { return [Line(hint.map { $0.columns <= width ? $0 : reason } ?? reason, style)] }
        guard let hint else { return wrapped(reason, style, to: width, atMost: maxLines) }
        let all = wrapped(notice.sentences, style, to: width)
        if all.count <= maxLines { return all }
        let last = wrapped(hint, style, to: width, atMost: maxLines - 1)
        return wrapped(reason, style, to: width, atMost: maxLines - last.count) + last
    }

    /// True if the last line has the keys.
    var showsKeyLine: Bool {
        notice == nil && prompt == nil && link == .live && (layout.hasHeader || page != nil)
    }

    private var standingLine: Line {
        if link == .live {
            return showsKeyLine ? keyLine : line(of: stateClauses.0, stateClauses.role)
        }
        return line(of: connectionClauses, link == .connecting ? .warning : .bad)
    }

    private func line(of clauses: [Clause], _ role: ColorRole) -> Line {
        let help = (page == nil ? keyHint(.help, "help") : backHint).line
        let words = Line(" " + fitting(clauses, in: size.columns - help.columns - 3), Style([], role))
        return .justified(words, help + Line(" "), to: size.columns)
    }

    private var connectionClauses: [Clause] {
        switch link {
        case .live: return []
        case .connecting: return [["connecting\u{2026}"]] + problemAndSyncClauses
        case .unreachable(let reason, _, let retryAt):
            let next = "next try \(clock.timeOfDay(retryAt))"
            let unreachable = ["daemon unreachable \u{B7} \(next)", "no daemon \u{B7} \(next)", "no daemon"]
            return [unreachable, ["\(keys.name(of: .refresh)) retries now"], [reason]]
        }
    }

    /// The state of the sources, for the header; nothing while the daemon is unreachable.
    var stateClauses: (clauses: [Clause], role: ColorRole) {
        if basePage?.kind == .sources { return (report.time.map { [["as of \(clock.timeOfDay($0))"]] } ?? [], .muted) }
        guard link == .live, basePage == nil else { return ([], .muted) }
        let isWell = lastHeader.map { !$0.isOffline && $0.failing.isEmpty && !$0.isRecovered } ?? true
        let filter = filterNames.joined(separator: " \u{B7} ")
        let filterClauses = layout.hasHeader || filter.isEmpty ? [] : [["filter: \(filter)", "filtered"]]
        if isJumping { return ([["loading\u{2026}"]], .muted) }
        let clauses = search == nil ? problemAndSyncClauses : searchClauses
        return (filterClauses + clauses, isWell ? .muted : .warning)
    }

    /// Problems from before the search, because its snapshots do not have them; and the key that ends the search.
    private var searchClauses: [Clause] {
        var header = lastHeader ?? JokesHeader()
        // Syncing ends soon.
        header.isSyncing = false
        let problems = problemClauses(header)
        let short = problems.compactMap(\.last).joined(separator: ", ")
        let (long, medium) = (words(of: header, "when the search began"), words(of: header, "earlier"))
        return (problems.isEmpty ? [] : [[long, medium, "earlier: \(short)", ""]])
            + (isSearching ? [["searching\u{2026}"]] : [])
            + (layout.hasHeader ? [] : [["Esc shows all jokes", "Esc cancels"]])
    }

    private func words(of header: JokesHeader, _ time: String) -> String {
        var parts = header.isRecovered ? ["database recovered: see jokesctl status"] : []
        if header.isOffline {
            parts.append("offline \(time)")
        } else if !header.failing.isEmpty {
            parts.append("failing \(time): \(header.failing.joined(separator: ", "))")
        }
        return parts.joined(separator: ", ")
    }

    private var problemAndSyncClauses: [Clause] {
        guard case .jokes(let header) = snapshot?.section(for: .jokes) else { return [] }
        let isFailing = header.isOffline || !header.failing.isEmpty
        return problemClauses(header) + (isFailing ? [["\(keys.name(of: .sources)) shows why"]] : [])
            + [syncClause(header, clock)]
    }
}

extension Notice {
    /// The text without its last line, and the last line. If there is only one line, it is the reason.
    fileprivate var parts: (reason: String, hint: String?) {
        guard let end = text.lastIndex(of: "\n") else { return (text, nil) }
        return (String(text[..<end]), String(text[end...].dropFirst()))
    }

    /// The reason and the hint on one line, with a period between them if the reason has none.
    fileprivate var sentences: String {
        let (reason, hint) = parts
        let isClosed = reason.hasSuffix(".") || reason.hasSuffix(":")
        let sentences = reason + (hint.map { (isClosed ? " " : ". ") + $0 } ?? "")
        return sentences.split(separator: "\n").joined(separator: " ")
    }
}

extension Model {
    /// The prompt of a note, of the page or of the search, and the column of its cursor; nil if none is open.
    var prompt: (line: Line, cursor: Int)? {
        if let noteEdit { return prompt("Note: ", noteEdit.field, promptWords(noteEdit)) }
        if let search = page?.search, search.isTyping {
            let count = page?.kind.definition.matches?(self) ?? 0
            return prompt("/", search.field, ["\(count) found", "\(count)"])
        }
        guard let search, search.isTyping else { return nil }
        return prompt("/", search.field, promptWords(search))
    }

    /// A notice about the last key is shown in place of the words. If the text does not fit, it is scrolled: the cursor is
    /// in the middle, unless an end of the text is visible.
    private func prompt(_ name: String, _ field: TextField, _ clause: Clause) -> (line: Line, cursor: Int) {
        let half = size.columns / 2
        let notice =
            field.isCut ? nil : notice.map { Line($0.text, .muted).truncated(to: max(0, half - 1)) + Line(" ") }
        let words = notice ?? clause.map { Line($0 + " ", .muted) }.first { $0.columns <= half } ?? Line()
        let isRoomy = words.columns > 0
        let room = max(0, size.columns - 1 - name.columns - (isRoomy ? words.columns + 1 : 0))
        let before = sanitized(field.before)
        let after = Line(field.after).truncated(to: max(room / 2, room - before.columns), mark: "")
        let start = Line(name) + Line(before.suffix(columns: room - after.columns))
        let text = start + after
        let line = isRoomy ? Line.justified(text, words, to: size.columns) : text.fitted(to: size.columns)
        return (line, min(start.columns, max(0, size.columns - 1)))
    }

    private func promptWords(_ edit: NoteEdit) -> Clause {
        if link != .live { return ["not connected; Enter tries again", "not connected"] }
        if edit.field.isCut { return ["note too long", "too long"] }
        return ["Enter saves, Alt+e opens $EDITOR", "Enter saves, Esc cancels", "Enter saves"]
    }

    private func promptWords(_ search: Search) -> Clause {
        if search.field.isCut { return ["query too long", "too long"] }
        if search.activeQuery == nil { return ["Esc cancels"] }
        if case .unreachable = link { return ["daemon unreachable", "no daemon"] }
        guard !isSearching,
            case .searchResults(_, let count, let isExact, _) = snapshot?.section(for: .searchResults)
        else { return ["searching\u{2026}", "waiting\u{2026}"] }
        let number = "\(count)\(isExact ? "" : "+")"
        return ["\(number) found", number]
    }
}

extension String {
    /// The last characters that fit the columns.
    fileprivate func suffix(columns limit: Int) -> String {
        var room = limit
        let start = indices.reversed().prefix { index in
            room -= self[index].columns
            return room >= 0
        }.last
        return start.map { String(self[$0...]) } ?? ""
    }
}

/// A part of a line in several wordings, the longest first.
typealias Clause = [String]

/// The first clauses that fit the columns, each in its longest possible wording, with a dot between them. The first one
/// is always there.
func fitting(_ clauses: [Clause], in columns: Int) -> String {
    var text = ""
    for clause in clauses {
        let separator = text.isEmpty ? "" : " \u{B7} "
        let longer = clause.map { text + separator + $0 }
        guard let fit = longer.first(where: { $0.columns <= columns }) else {
            return text.isEmpty ? longer.last ?? "" : text
        }
        text = fit
    }
    return text
}

/// The current problems, the most important first.
func problemClauses(_ header: JokesHeader) -> [Clause] {
    var clauses: [Clause] = []
    if header.isRecovered {
        clauses.append(["database recovered: see jokesctl status", "recovered: see jokesctl status", "recovered"])
    }
    if header.isSyncing { clauses.append(["syncing\u{2026}"]) }
    if header.isOffline {
        clauses.append(["offline"])
    } else if let first = header.failing.first {
        let count = header.failing.count
        let short =
            count == 1 ? ["\(first) failing", "1 source failing"] : ["\(count) sources failing", "\(count) failing"]
        clauses.append(["failing: \(header.failing.joined(separator: ", "))"] + short)
    }
    return clauses
}

func shownClause(_ header: JokesHeader) -> Clause {
    ["\(counted(header.shown, "joke")) shown", "\(header.shown) shown"]
}

func syncClause(_ header: JokesHeader, _ clock: LocalClock) -> Clause {
    guard let lastSync = header.lastSync else { return ["never synced"] }
    let words = clock.words(for: lastSync)
    return ["synced \(words)", words]
}
