package import JokesCore
package import JokesProtocol

/// The last answer about the sources.
package struct SourcesReport: Hashable, Sendable {
    /// In the order of the configuration.
    package var sources: [Wire.SourceHealth]?
    /// The time of the answer.
    package var time: Timestamp?
    /// The error of the last request, if it failed.
    package var refusal: String?
    package var isAsked = false
    /// True if something has changed since the pending request.
    package var isOutdated = false
}

extension Model {
    /// Opens the page of the sources.
    mutating func openSources() -> [Effect] {
        page = Page(.sources)
        return askSources()
    }

    /// Requests the status of the sources if it is shown, one request at a time.
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

    /// Handles the answer to `askSources`.
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
