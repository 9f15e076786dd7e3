import JokesClient
import JokesCore
import Terminal
import TextLayout

/// The last test of a source: jokes that the daemon fetched and did not store.
struct SourceTest: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case running
        case done(SourceSample)
        /// The error, with a hint on its last line.
        case failed(String)
    }

    let name: String
    var state = State.running
}

extension Page.Kind {
    static func source(_ name: String) -> Page.Kind {
        Page.Kind(
            name: "source \(name)", source: name, title: { _ in "Source \(name)" },
            content: { PageContent(lines: $0.sourceLines(name, to: $1)) },
            hints: { $0.sourceHints + [$0.backHint] }, popupWidth: 72, perform: { $0.performOnSourcesPage($1) })
    }
}

extension Model {
    /// Requests jokes of the selected source, and shows its page.
    mutating func testSource() -> [Effect] {
        guard let source = configuredSource("tested"), isConnected(else: "Not tested: not connected") else { return [] }
        if let sourceTest, sourceTest.state == .running {
            notice = Notice(text: "Still testing \(sourceTest.name)")
            return []
        }
        sourceTest = SourceTest(name: source.name)
        let effects = page?.kind == .sources ? open(.source(source.name)) : []
        scrollPage(by: .min / 2)
        return effects + [.send(.testSource(source.name))]
    }

    /// Handles the answer to `Request.testSource`.
    mutating func handleTest(of name: String, _ state: SourceTest.State) {
        if sourceTest?.name == name { sourceTest?.state = state }
    }

    /// The state of a source, its test if there is one, and all its facts.
    fileprivate func sourceLines(_ name: String, to width: Int) -> [Line] {
        guard let source = report.sources?.first(where: { $0.name == name }) else {
            return wrapped("The daemon no longer has the source '\(name)'.", .warning, to: width)
        }
        return source.stateLines(columns: width, past: clock.words(for:), future: clock.words(for:))
            + testLines(of: name, width: width) + [Line()] + factLines(of: source, width: width)
    }

    private func testLines(of name: String, width: Int) -> [Line] {
        guard let sourceTest, sourceTest.name == name else { return [] }
        let heading = [Line(), Line("Test", Style(.bold, .heading))]
        switch sourceTest.state {
        case .running: return heading + wrapped("Fetching jokes\u{2026}", .muted, to: width)
        case .failed(let reason): return heading + wrapped(reason, .bad, to: width)
        case .done(let sample):
            let jokes = sample.jokes.flatMap { joke in
                let text = joke.content.text
                let punchline = text.punchline.map { wrapped("\u{2014} \($0)", .accent, to: width) } ?? []
                return [Line()] + wrapped(text.setup, to: width) + punchline
            }
            let remarks = sample.notes.flatMap { wrapped($0, .muted, to: width) }
            return heading + wrapped(sample.inWords, to: width) + remarks + jokes
        }
    }

    private func factLines(of source: SourceHealth, width: Int) -> [Line] {
        func time(_ time: Timestamp?) -> String? {
            time.map { clock.words(for: $0) }
        }
        let failures = time(source.failingSince).map { "\(source.failures) since \($0)" }
        let rate = source.rate.map { rate in
            "\(counted(rate.requests, "request")) in \(TimeInWords.length(rate.per))"
        }
        let facts: [(name: String, value: String?)] = [
            ("type", source.type), ("url", source.url), ("jokes", source.jokes.inWords),
            ("unrated", source.jokes.unrated > 0 ? "\(source.jokes.unrated)" : nil),
            ("last attempt", time(source.lastAttempt)), ("last sync", time(source.lastSuccess)),
            ("result", source.lastSuccess == nil ? nil : "\(source.new) new, \(source.refused) refused"),
            ("failures", failures), ("next sync", time(source.nextAttempt)), ("rate limit", rate),
            ("requests left", source.requestsLeft.map { "\($0)" }),
        ]
        return facts.flatMap { name, value in
            value.map { labeledLines(name, $0, label: 15, width: width) } ?? []
        }
    }
}
