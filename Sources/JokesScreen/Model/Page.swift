import JokesClient
package import JokesCore
package import JokesProtocol
import Terminal
import TextLayout

/// A page that covers the list.
package struct Page: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case help
        case sources
        /// The details, if the screen has no room for them with the list.
        case details
    }

    package let kind: Kind
    /// The first shown line.
    package internal(set) var top = 0

    init(_ kind: Kind) { self.kind = kind }
}

extension Model {
    /// The size of a page: that of the list without details.
    var pageSize: Size { Layout(size, wantsDetails: false).list }

    private var pageHeight: Int { pageSize.rows }

    func lines(of kind: Page.Kind) -> [Line] {
        switch kind {
        case .help: helpLines
        case .sources: sourcesLines
        case .details: detailLines(width: max(1, size.columns - 2)).map { Line(" ") + $0 }
        }
    }

    /// Performs an action on the page. Actions without a meaning there close the page.
    mutating func performOnPage(_ action: Action) -> [Effect] {
        switch action {
        case .down, .detailsDown: scrollPage(by: 1)
        case .up, .detailsUp: scrollPage(by: -1)
        case .halfPageDown: scrollPage(by: pageHeight / 2)
        case .halfPageUp: scrollPage(by: -pageHeight / 2)
        case .pageDown: scrollPage(by: pageHeight - 1)
        case .pageUp: scrollPage(by: 1 - pageHeight)
        case .first: scrollPage(by: .min / 2)
        case .last: scrollPage(by: .max / 2)
        case .redraw, .suspend: return perform(action)
        case .refresh where page?.kind == .sources: return perform(action)
        case .reveal where page?.kind == .details, .star where page?.kind == .details: return perform(action)
        case .copy where page?.kind == .details, .openURL where page?.kind == .details: return perform(action)
        default: page = nil
        }
        return []
    }

    /// True if the page continues below the screen.
    var isPageCutOff: Bool { page.map { $0.top + pageHeight < lines(of: $0.kind).count } ?? false }

    /// Scrolls the page within its ends.
    mutating func scrollPage(by lines: Int) {
        guard var page else { return }
        page.top = max(0, min(page.top + lines, self.lines(of: page.kind).count - pageHeight))
        self.page = page
    }
}

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

    var sourcesLines: [Line] {
        let time = report.time.map { Line("as of \(clock.timeOfDay($0)) ", .muted) } ?? Line()
        return [.justified(Line(" Sources", Style(.bold, .heading)), time, to: size.columns)] + sourcesWords
    }

    private var sourcesWords: [Line] {
        let width = max(1, size.columns - 2)
        var lines: [Line] = []
        if let refusal = report.refusal {
            lines += wrapped(refusal, .bad, to: width) + [Line()]
        }
        if let sources = report.sources {
            let widest = sources.map(\.name.columns).max() ?? 0
            lines += sources.flatMap { self.lines(of: $0, name: min(widest, width / 3), width: width) }
            if sources.isEmpty { lines += wrapped("No sources configured.", to: width) }
        } else if report.refusal == nil {
            lines += wrapped("Loading sources\u{2026}", .muted, to: width)
        }
        return lines.map { Line("  ") + $0 }
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

    /// The help, made from the key table.
    var helpLines: [Line] {
        let names = keys.bindings.map { binding in
            let names = binding.keys.map(\.name)
            return binding.action == .section && names.count > 2
                ? "\(names[0])\u{2026}\(names[names.count - 1])" : names.joined(separator: " ")
        }
        let widest = names.map(\.columns).max() ?? 0
        let width = min(widest, max(1, size.columns / 3))
        return [Line(" Keys", Style(.bold, .heading))]
            + zip(names, keys.bindings).flatMap { name, binding in
                let parts = wrapped(binding.summary, to: max(1, size.columns - width - 4))
                return parts.enumerated().map { number, part in
                    Line("  ") + Line(number == 0 ? name : "", .accent).fitted(to: width) + Line("  ") + part
                }
            }
    }
}
