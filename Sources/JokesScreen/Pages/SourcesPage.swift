import JokesClient
import JokesCore
import Terminal
import TextLayout

/// The last answer about the sources.
struct SourcesReport: Hashable, Sendable {
    /// In the order of the configuration.
    var sources: [SourceHealth]?
    /// The time of the answer.
    var time: Timestamp?
    var request = PageRequest()
    /// True while jokesctl changes the configuration.
    var isChanging = false
}

extension Page.Kind {
    static let sources: Page.Kind = Page.Kind(
        name: "sources", title: { _ in "Sources" }, content: { $0.sourcesContent(to: $1) },
        hints: { model in
            let open = model.shownSource == nil ? [] : [model.keyHint(.open, "open")]
            return open + model.sourceHints + [model.keyHint(.search, "find"), model.backHint]
        },
        matches: { $0.foundSources?.count ?? 0 }, perform: { $0.performOnSourcesPage($1) },
        refresh: { $0.requestSources() })
}

extension Model {
    /// Requests the status of the sources, one request at a time.
    fileprivate mutating func requestSources() -> [Effect] { report.request.begin() ? [.send(.sources)] : [] }

    /// Requests the status of the sources if it says why the list is empty, or what a refresh has brought.
    mutating func requestNews() -> [Effect] {
        let isEmpty = lastHeader?.shown == 0 && selection == JokeSelection() && search == nil
        let hasRefreshed = refreshed != nil && lastHeader?.isSyncing == false
        return !isOpen(.sources) && (isEmpty || hasRefreshed) ? requestSources() : []
    }

    /// Handles the answer to `requestSources`.
    mutating func handleSources(_ answer: Answer) -> [Effect] {
        let isOutdated = report.request.end(refusal: answer.refusal)
        if case .sources(let sources) = answer {
            let selected = selectedSource?.name
            (report.sources, report.time) = (sources, clock.now)
            let ended = sources.filter { refreshed?.contains($0.name) == true }
            if !ended.isEmpty, ended.allSatisfy({ !$0.syncing }) { (notice, refreshed) = (Notice(of: ended), nil) }
            select(foundSources?.firstIndex { $0.name == selected }, on: .sources)
        }
        return isOutdated ? (isOpen(.sources) ? requestSources() : requestNews()) : []
    }

    /// The sources that the search of the page finds.
    fileprivate var foundSources: [SourceHealth]? { report.sources?.filter { isFound($0.name, on: .sources) } }

    // MARK: Keys

    /// The source at the cursor of the page.
    private var selectedSource: SourceHealth? {
        guard let page = pages.first(where: { $0.kind == .sources }), let sources = foundSources else { return nil }
        return sources.indices.contains(page.selected) ? sources[page.selected] : nil
    }

    /// The source that keys such as `r` are for: that of the page, or the selected one.
    fileprivate var shownSource: SourceHealth? {
        if let name = page?.kind.source { return report.sources?.first { $0.name == name } }
        return selectedSource
    }

    /// The keys for the source, as far as it can be changed.
    var sourceHints: [KeyHint] {
        guard let source = shownSource, source.unconfiguredType == nil else { return [] }
        let change = keyHint(.toggleSource, source.enabled ? "disable" : "enable")
        return [change, keyHint(.testSource, "test")] + (source.enabled ? [keyHint(.refresh, "refresh")] : [])
    }

    mutating func performOnSourcesPage(_ action: Action) -> [Effect]? {
        switch (action, page?.kind) {
        case (.reveal, .sources), (.open, .sources):
            if let name = shownSource?.name { return open(.source(name)) } else { reportNoSource() }
        case (.refresh, _) where link != .live: return nil
        case (.refresh, _), (.refreshSource, _): return refreshShownSource()
        case (.toggleSource, _): return toggleSource()
        case (.testSource, _): return testSource()
        default: return nil
        }
        return []
    }

    private mutating func reportNoSource() { notice = Notice(text: "No source selected") }

    /// The source for a key if it is configured; otherwise a notice says why the key does nothing.
    mutating func configuredSource(_ participle: String) -> SourceHealth? {
        guard let source = shownSource else {
            reportNoSource()
            return nil
        }
        if source.unconfiguredType == nil { return source }
        notice = Notice(text: "\(source.name) is not configured and cannot be \(participle)", role: .warning)
        return nil
    }

    private mutating func refreshShownSource() -> [Effect] {
        guard let source = configuredSource("refreshed"), isConnected(else: "Not refreshed: not connected") else {
            return []
        }
        guard source.enabled else {
            notice = Notice(text: "\(source.name) is disabled; \(keys.name(of: .toggleSource)) enables it")
            return []
        }
        return [.send(.refresh(sources: [source.name]))]
    }

    /// Enables or disables the source in the configuration file of the daemon.
    private mutating func toggleSource() -> [Effect] {
        guard let source = configuredSource(shownSource?.enabled == true ? "disabled" : "enabled") else { return [] }
        if report.isChanging {
            notice = Notice(text: "The last change is not finished yet")
            return []
        }
        report.isChanging = true
        notice = Notice(text: "\(source.enabled ? "Disabling" : "Enabling") \(source.name)\u{2026}")
        return [.runJokesctl(["source", source.enabled ? "disable" : "enable", "--", source.name])]
    }

    /// Handles the answer to `Effect.runJokesctl`: its last lines become the notice.
    mutating func handleJokesctl(_ output: String, hasFailed: Bool) -> [Effect] {
        report.isChanging = false
        let lines = output.split(whereSeparator: \.isNewline).suffix(3)
        let text = lines.isEmpty && hasFailed ? "jokesctl failed" : lines.joined(separator: "\n")
        notice = Notice(text: text, role: hasFailed ? .bad : .plain)
        return refreshPages()
    }

    // MARK: The page

    /// A table of the sources, with the reason below a source that fails. The columns that do not fit are left out, the last
    /// ones first: the page of the source has all.
    fileprivate func sourcesContent(to width: Int) -> PageContent {
        var content = pageStart(
            report.request, hasContent: report.sources != nil, "Loading sources\u{2026}", to: width)
        guard let sources = foundSources else { return content }
        if sources.isEmpty {
            let isSearch = report.sources?.isEmpty == false
            content.lines += wrapped(isSearch ? "No source matches." : "No sources configured.", to: width)
            return content
        }
        let titles = ["name", "state", "cached", "shown", "last sync", "next"].map { Line($0, .muted) }
        let table = [titles] + sources.map { cells(of: $0, name: width / 3) }
        let widths = titles.indices.map { column in table.map { $0[column].columns }.max() ?? 0 }
        let count = titles.indices.last { widths[...$0].reduce(2 * $0, +) <= width } ?? 1
        let lines = table.map { cells in
            (0...max(1, count)).reduce(Line()) { line, column in
                let cell = cells[column]
                let isNumber = column == 2 || column == 3
                let before = Line(repeating: " ", count: isNumber ? widths[column] - cell.columns : 0)
                return line + Line(column == 0 ? "" : "  ") + (before + cell).padded(to: widths[column])
            }.truncated(to: width)
        }
        content.lines.append(lines[0])
        for (source, line) in zip(sources, lines.dropFirst()) {
            let reasons = source.remarks.prefix(1).map { (Line("  ") + Line($0, .muted)).truncated(to: width) }
            content.add(row: [line] + reasons)
        }
        return content
    }

    private func cells(of source: SourceHealth, name width: Int) -> [Line] {
        func time(_ time: Timestamp?) -> Line { Line(time.map { clock.words(for: $0) } ?? "") }
        let numbers = [source.jokes.cached, source.jokes.shown].map { Line("\($0)") }
        return [Line(source.name, .bold).truncated(to: width), source.state] + numbers
            + [time(source.lastSuccess), time(source.enabled ? source.nextAttempt : nil)]
    }
}

extension SourceHealth {
    fileprivate var state: Line {
        switch unconfiguredType {
        case .bundled: Line("bundled", .muted)
        case .imported: Line("imported", .muted)
        case .removed: Line("not configured", .warning)
        case nil where !enabled: Line("disabled", .muted)
        case nil where syncing: Line("syncing", .warning)
        case nil where failingSince != nil: Line("failing", .bad)
        case nil: lastSuccess == nil ? Line("not synced") : Line("ok", .good)
        }
    }
}

extension Notice {
    /// What a refresh of the sources has brought.
    fileprivate init(of sources: [SourceHealth]) {
        let news = sources.filter { $0.new > 0 }.map { "\($0.new) new from \($0.name)" }
        let failed = sources.filter { $0.failure != nil }.map { "\($0.name) failed" }
        let nothing = "Nothing new from \(sources.map(\.name).joined(separator: ", "))"
        let words = news + failed
        self.init(
            text: words.isEmpty ? nothing : words.joined(separator: ", "), role: failed.isEmpty ? .plain : .warning)
    }
}
