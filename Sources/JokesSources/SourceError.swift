import HTTP
import JokesCore
import Unix

/// A source that could not be read: nothing of this step is to be stored.
package struct SourceError: Error, Hashable, CustomStringConvertible {
    /// What went wrong, in names that stay the same across releases.
    package enum Code: String, Sendable, CaseIterable {
        /// The configuration lacks a key that the kind of source needs.
        case misconfigured
        /// No connection came about.
        case unreachable
        /// The connection or the answer broke one of our rules or limits.
        case transfer
        /// Asked too often, or the service is overloaded: 429 or 503.
        case busy
        /// The answer's status is no success.
        case status
        /// The answer says of itself that it is an error, whatever its status.
        case upstreamError = "upstream-error"
        /// The answer is of another type than the source's, or cannot be read as it.
        case unreadable
        /// The answer should hold jokes and holds none.
        case empty
        /// A file or folder cannot be read.
        case file
        case cancelled
        /// Our own doing: the rate allows no request for a while. What was fetched so far counts.
        case paused
    }

    package let code: Code
    /// One line for people, without a final period: what was tried, on what, and why it failed. Holds no control characters.
    package let description: String
    /// How long the upstream wants to be left alone, at most a day; nil where it does not say.
    package let retryAfter: Duration?

    init(_ code: Code, _ description: String, retryAfter: Duration? = nil) {
        self.code = code
        let text = line(description, limit: 500)
        self.description = text.hasSuffix(".") && !text.hasSuffix("...") ? String(text.dropLast()) : text
        self.retryAfter = retryAfter
    }

    init(_ error: HTTPError) {
        let code: Code =
            switch error.code {
            case .resolve, .connect, .proxy: .unreachable
            case .cancelled: .cancelled
            case .invalidRequest, .schemeRefused: .misconfigured
            default: .transfer
            }
        self.init(code, error.description)
    }

    init(_ error: SystemError) {
        self.init(.file, error.description)
    }

    /// True where no connection came about, as on a train: another source would fail alike.
    package var isUnreachable: Bool {
        code == .unreachable
    }

    /// True for a failure of one answer, which says little about the next one.
    var concernsOneAnswer: Bool {
        switch code {
        case .transfer, .status, .upstreamError, .unreadable, .empty: true
        case .misconfigured, .unreachable, .busy, .file, .cancelled, .paused: false
        }
    }
}

/// The text in one line without anything that a terminal would obey.
func line(_ text: String, limit: Int) -> String {
    let clean = cleanText(String(text.prefix(limit))).split(separator: "\n").joined(separator: " ")
    return text.count > limit ? clean + "..." : clean
}
