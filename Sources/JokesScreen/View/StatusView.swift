import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The last lines of the screen: a notice, the state of the connection, or the keys that matter here.
    var footerLines: [Line] { notice.map { lines(of: $0) } ?? [standingLine] }

    /// The number of footer lines.
    var footerHeight: Int { isTyping ? 1 : notice.map { lines(of: $0).count } ?? 1 }

    /// The whole notice if it fits, else its start and the hint. A refusal or a warning may have three lines, others one.
    private func lines(of notice: Notice) -> [Line] {
        let (width, style) = (max(1, size.columns - 2), Style([], notice.role))
        let limit = notice.role == .plain ? 1 : max(1, min(3, (size.rows + 1) / 3))
        var lines = wrapped(notice.text, style, to: width)
        if lines.count > limit {
            let hint = notice.text.split(separator: "\n").dropFirst().last.map(String.init)
            let end = hint.map { wrapped($0, style, to: width, atMost: max(1, limit - 1)) } ?? []
            lines = wrapped(notice.text, style, to: width, atMost: limit - end.count) + end
        }
        return lines.map { (Line(" ") + $0).fitted(to: size.columns) }
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

    private func line(of clauses: [String], _ role: ColorRole) -> Line {
        let help = (page == nil ? keyHint(.help, "help") : backHint).line
        let words = Line(" " + fitting(clauses, in: size.columns - help.columns - 3), Style([], role))
        return .justified(words, help + Line(" "), to: size.columns)
    }

    private var connectionClauses: [String] {
        switch link {
        case .live: []
        case .connecting: ["connecting\u{2026}"] + sourceClauses
        case .unreachable(let reason, _, let retryAt):
            [
                "daemon unreachable", "next try \(clock.timeOfDay(retryAt))",
                "\(keys.name(of: .refresh)) retries now", reason,
            ]
        }
    }

    /// The state of the sources, for the header; nothing while the daemon is unreachable.
    var stateClauses: (clauses: [String], role: ColorRole) {
        if basePage?.kind == .sources { return (report.time.map { ["as of \(clock.timeOfDay($0))"] } ?? [], .muted) }
        guard link == .live, basePage == nil else { return ([], .muted) }
        if isJumping { return (["loading\u{2026}"], .muted) }
        let isWell = lastHeader.map { !$0.isOffline && $0.failing.isEmpty && !$0.isRecovered } ?? true
        let filter = filterNames.joined(separator: " \u{B7} ")
        let filterClauses = layout.hasHeader || filter.isEmpty ? [] : ["filter: \(filter)"]
        return (filterClauses + sourceClauses, isWell ? .muted : .warning)
    }

    /// The problems of the sources, and the last sync or the state of the search.
    private var sourceClauses: [String] {
        guard var header = lastHeader else { return [] }
        // The snapshots of a search do not say when a sync ends.
        header.isSyncing = header.isSyncing && search == nil
        let isFailing = header.isOffline || !header.failing.isEmpty
        let problems = problemClauses(header) + (isFailing ? ["\(keys.name(of: .sources)) shows why"] : [])
        let time = header.lastSync.map { clock.words(for: $0) }
        if search == nil { return problems + [time.map { "synced \($0)" } ?? "never synced"] }
        let hint = layout.hasHeader ? [] : ["Esc shows all jokes"]
        return hint + problems + (isSearching ? ["searching\u{2026}"] : [])
    }
}

extension Model {
    /// The prompt of a note, of the page or of the search, and the column of its cursor; nil if none is open.
    var prompt: (line: Line, cursor: Int)? {
        if let noteEdit { return prompt("Note: ", noteEdit.field, promptWords(noteEdit)) }
        if let search = page?.search, search.isTyping {
            return prompt("/", search.field, "\(page?.kind.matches?(self) ?? 0) found")
        }
        guard let search, search.isTyping else { return nil }
        return prompt("/", search.field, promptWords(search))
    }

    /// A notice about the last key is shown in place of the words. If the text does not fit, it is scrolled: the cursor is
    /// in the middle, unless an end of the text is visible.
    private func prompt(_ name: String, _ field: TextField, _ words: String) -> (line: Line, cursor: Int) {
        let half = size.columns / 2
        let notice =
            field.isCut ? nil : notice.map { Line($0.text, .muted).truncated(to: max(0, half - 1)) + Line(" ") }
        let words = notice ?? (words.columns < half ? Line(words + " ", .muted) : Line())
        let isRoomy = words.columns > 0
        let room = max(0, size.columns - 1 - name.columns - (isRoomy ? words.columns + 1 : 0))
        let before = Line(field.before)
        let after = Line(field.after).truncated(to: max(room / 2, room - before.columns), mark: "")
        let start = Line(name) + before.dropped(max(0, before.columns + after.columns - room))
        let text = start + after
        let line = isRoomy ? Line.justified(text, words, to: size.columns) : text.fitted(to: size.columns)
        return (line, min(start.columns, max(0, size.columns - 1)))
    }

    private func promptWords(_ edit: NoteEdit) -> String {
        if link != .live { return "not connected" }
        return edit.field.isCut ? "note too long" : "Enter saves, Alt+e: editor"
    }

    private func promptWords(_ search: Search) -> String {
        if search.field.isCut { return "query too long" }
        if search.activeQuery == nil { return "Esc cancels" }
        if case .unreachable = link { return "daemon unreachable" }
        let count = isSearching ? nil : snapshot?.section(for: .searchResults)?.countWords
        return count.map { "\($0) found" } ?? "searching\u{2026}"
    }
}

/// The first clauses that fit the columns, with a dot between them; at least one, which may be longer.
func fitting(_ clauses: [String], in columns: Int) -> String {
    let texts = clauses.indices.map { clauses[...$0].joined(separator: " \u{B7} ") }
    return texts.last { $0.columns <= columns } ?? texts.first ?? ""
}

/// The current problems, the most important first.
private func problemClauses(_ header: JokesHeader) -> [String] {
    let failing = header.isOffline || header.failing.isEmpty
    return (header.isRecovered ? ["recovered: see jokesctl status"] : [])
        + (header.isSyncing ? ["syncing\u{2026}"] : []) + (header.isOffline ? ["offline"] : [])
        + (failing ? [] : ["failing: \(header.failing.joined(separator: ", "))"])
}
