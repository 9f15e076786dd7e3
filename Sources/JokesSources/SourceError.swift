import HTTP
import JokesCore
import Unix

/// An error of a source. Nothing of the step is stored.
package struct SourceError: Error, Hashable, CustomStringConvertible {
    /// The kind of error. The names are stable across releases.
    package enum Code: String, Sendable, CaseIterable {
        /// A key is missing in the configuration.
        case misconfigured
        /// There was no connection.
        case unreachable
        /// The connection or the answer violates a rule or a limit.
        case transfer
        /// Too many requests, or the service is overloaded: 429 or 503.
        case busy
        /// The status of the answer is an error.
        case status
        /// The answer states an error, with any status.
        case upstreamError = "upstream-error"
        /// The answer has another type, or cannot be read.
        case unreadable
        /// The answer has no jokes, although it should.
        case empty
        /// A file or folder cannot be read.
        case file
        case cancelled
        /// The rate allows no request now. Fetched jokes are kept.
        case paused
    }

    package let code: Code
    /// One line for people, without a period and control characters: the operation, its object and the reason.
    package let description: String
    /// The pause that the service has asked for, at most a day; nil for none.
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

    /// Whether there was no connection, so other sources would fail as well.
    package var isUnreachable: Bool {
        code == .unreachable
    }

    /// Whether only this answer has failed, and the next one may succeed.
    var concernsOneAnswer: Bool {
        switch code {
        case .transfer, .status, .upstreamError, .unreadable, .empty: true
        case .misconfigured, .unreachable, .busy, .file, .cancelled, .paused: false
        }
    }
}

/// The text in one line without control characters.
func line(_ text: String, limit: Int) -> String {
    let clean = cleanText(String(text.prefix(limit))).split(separator: "\n").joined(separator: " ")
    return text.count > limit ? clean + "..." : clean
}
