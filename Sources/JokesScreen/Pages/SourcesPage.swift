import JokesClient
package import JokesCore
package import JokesProtocol
import Terminal
import TextLayout

/// The last answer about the sources.
package struct SourcesReport: Hashable, Sendable {
    /// In the order of the configuration.
    package var sources: [Wire.SourceHealth]?
    /// The time of the answer.
    package var time: Timestamp?
    /// The error of the last request, if it failed.
    package var refusal: String?
    package var isRequested = false
    /// True if something has changed since the open request.
    package var isOutdated = false
}

extension Model {
    /// Requests the status of the sources if it is shown, one request at a time.
    mutating func requestSources() -> [Effect] {
        guard page?.kind == .sources else { return [] }
        report.isOutdated = report.isRequested
        if report.isRequested { return [] }
        report.isRequested = true
        return [.send(.sources)]
    }

    /// Handles the answer to `requestSources`.
    mutating func handleSources(_ sources: [Wire.SourceHealth]?, refusal: String? = nil) -> [Effect] {
        report.isRequested = false
        report.refusal = refusal
        if let sources { (report.sources, report.time) = (sources, clock.now) }
        return report.isOutdated ? requestSources() : []
    }

    var sourcesContent: PageContent {
        let width = max(1, pageSize.columns - 2)
        var content = PageContent(lines: [])
        if let refusal = report.refusal { content.lines += wrapped(refusal, .bad, to: width) + [Line()] }
        if let sources = report.sources {
            let widest = sources.map(\.name.columns).max() ?? 0
            for source in sources {
                let lines = lines(of: source, name: min(widest, width / 3), width: width)
                content.rows.append(content.lines.count..<content.lines.count + lines.count)
                content.lines += lines
            }
            if sources.isEmpty { content.lines += wrapped("No sources configured.", to: width) }
        } else if report.refusal == nil {
            content.lines += wrapped("Loading sources\u{2026}", .muted, to: width)
        }
        content.lines = content.lines.map { Line(" ") + $0 }
        return content
    }

    /// The name of a source, with its state beside or below it.
    private func lines(of source: Wire.SourceHealth, name: Int, width: Int) -> [Line] {
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
