import JokesClient
package import JokesCore
import Terminal
import TextLayout

/// The last answer about the sources.
package struct SourcesReport: Hashable, Sendable {
    /// In the order of the configuration.
    package var sources: [SourceHealth]?
    /// The time of the answer.
    package var time: Timestamp?
    var request = PageRequest()
    /// True while jokesctl changes the configuration.
    package var isChanging = false
}

extension Model {
    /// True on the page of all sources, and on that of one.
    var showsSources: Bool {
        switch page?.kind {
        case .sources, .source: true
        default: false
        }
    }

    /// Requests the status of the sources if it is shown, or says why the list is empty; one request at a time.
    mutating func requestSources() -> [Effect] {
        let isEmpty = lastHeader?.shown == 0 && selection == JokeSelection()
        return (showsSources || refreshed != nil && lastHeader?.isSyncing == false || isEmpty && search == nil)
            && report.request.begin() ? [.send(.sources)] : []
    }

    /// Handles the answer to `requestSources`.
    mutating func handleSources(_ answer: Answer) -> [Effect] {
        let isOutdated = report.request.end(refusal: answer.refusal)
        if case .sources(let sources) = answer {
            let selected = page?.kind == .sources ? shownSource?.name : nil
            (report.sources, report.time) = (sources, clock.now)
            let ended = sources.filter { refreshed?.contains($0.name) == true }
            if !ended.isEmpty, ended.allSatisfy({ !$0.syncing }) { (notice, refreshed) = (Notice(of: ended), nil) }
            if let row = foundSources?.firstIndex(where: { $0.name == selected }) {
                pages[pages.count - 1].selected = row
            }
        }
        return isOutdated ? requestSources() : []
    }

    /// The sources that the search of the page finds.
    private var foundSources: [SourceHealth]? { report.sources?.filter { isFound($0.name, on: .sources) } }

    // MARK: Keys

    /// The source that keys such as `r` are for: the selected one, or that of the page.
    var shownSource: SourceHealth? {
        guard let page, let sources = foundSources else { return nil }
        switch page.kind {
        case .sources: return sources.indices.contains(page.selected) ? sources[page.selected] : nil
        case .source(let name): return report.sources?.first { $0.name == name }
        default: return nil
        }
    }

    mutating func performOnSourcesPage(_ action: Action) -> [Effect]? {
        switch (action, page?.kind) {
        case (.reveal, .sources), (.open, .sources):
            if let name = shownSource?.name { open(.source(name)) } else { noteNoSource() }
        case (.refresh, _) where link != .live: return nil
        case (.refresh, _), (.refreshSource, _): return refreshShownSource()
        case (.toggleSource, _): return toggleSource()
        case (.testSource, _): return testSource()
        default: return nil
        }
        return []
    }

    private mutating func noteNoSource() { notice = Notice(text: "No source selected") }

    /// The source for a key if it is configured; otherwise a notice says why the key does nothing.
    mutating func configuredSource(_ participle: String) -> SourceHealth? {
        guard let source = shownSource else {
            noteNoSource()
            return nil
        }
        let reason: String
        switch source.unconfiguredType {
        case nil: return source
        case .bundled: reason = "comes with jokesd"
        case .imported: reason = "was imported from a file"
        case .removed: reason = "is no longer configured"
        }
        notice = Notice(text: "\(source.name) \(reason) and cannot be \(participle)", role: .warning)
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
        return requestSources()
    }

    // MARK: The page

    var sourcesContent: PageContent {
        let width = max(1, pageSize.columns - 2)
        var content = pageStart(report.request, hasContent: report.sources != nil, "Loading sources\u{2026}")
        if let sources = foundSources {
            let widest = sources.map(\.name.columns).max() ?? 0
            for source in sources {
                let lines = lines(of: source, name: min(widest, width / 3), width: width)
                content.rows.append(content.lines.count..<content.lines.count + lines.count)
                content.lines += lines
            }
            let isSearch = report.sources?.isEmpty == false
            if sources.isEmpty {
                content.lines += wrapped(isSearch ? "No source matches." : "No sources configured.", to: width)
            }
        }
        content.lines = content.lines.map { Line(" ") + $0 }
        return content
    }

    /// The name of a source, with its state beside or below it.
    private func lines(of source: SourceHealth, name: Int, width: Int) -> [Line] {
        let isNarrow = width < 40
        let indentation = isNarrow ? 2 : name + 2
        let words = source.stateLines(
            columns: max(1, width - indentation), past: clock.words(for:), future: clock.words(for:))
        if isNarrow { return [Line(source.name, .bold)] + words.map { Line("  ") + $0 } }
        return words.enumerated().map { number, line in
            (number == 0 ? Line(source.name, .bold) : Line()).fitted(to: name) + Line("  ") + line
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
