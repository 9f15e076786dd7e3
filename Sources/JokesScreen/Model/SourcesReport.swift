package import JokesCore
package import JokesProtocol

/// What the daemon last said of its sources, for the page that shows it.
package struct SourcesReport: Hashable, Sendable {
    /// In the order of the configuration; nil before the first answer.
    package var sources: [Wire.SourceHealth]?
    /// When that was so.
    package var time: Timestamp?
    /// Why the last question was not answered; nil where it was.
    package var refusal: String?
    package var isAsked = false
    /// Something has changed since the question that is on the way.
    package var isOutdated = false
}

extension Model {
    /// Shows how the sources do.
    mutating func openSources() -> [Effect] {
        page = Page(.sources)
        return askSources()
    }

    /// Asks how the sources do, where that is shown; one question at a time.
    mutating func askSources() -> [Effect] {
        guard page?.kind == .sources else { return [] }
        if report.isAsked {
            report.isOutdated = true
            return []
        }
        report.isAsked = true
        report.isOutdated = false
        return [.ask(.sources)]
    }

    /// Takes the answer to `askSources`, or why there is none.
    mutating func takeSources(_ answer: [Wire.SourceHealth]?, refusal: String? = nil) -> [Effect] {
        report.isAsked = false
        report.refusal = refusal
        if let answer {
            report.sources = answer
            report.time = clock.now
        }
        return report.isOutdated ? askSources() : []
    }
}
