import HTTP
import JSON
import JokesCore
import Unix

/// An error of a source. Nothing of the step is stored.
package struct SourceError: Error, Hashable, CustomStringConvertible {
    package enum Code: Sendable {
        /// A key of the configuration is missing or wrong.
        case misconfigured
        /// There was no connection.
        case unreachable
        /// The connection or the answer violates a rule or a limit.
        case transfer
        /// Too many requests, or the service is overloaded: 429 or 503.
        case busy
        /// The answer has the status of an error, or states an error with any status.
        case status, upstreamError
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
    /// The next step for a person that adds the source, as a sentence; nil for none.
    package let hint: String?

    init(_ code: Code, _ description: String, retryAfter: Duration? = nil, hint: String? = nil) {
        self.code = code
        self.hint = hint
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
        let hint: String? =
            switch error.code {
            case .addressRefused, .schemeRefused: "If you trust the network, use the option --local-network."
            case .addressReserved:
                "If a VPN or proxy of yours answers there, add network.allowAddresses to the configuration."
            case .tls: "If a proxy replaces the certificates, set network.caFile in the configuration."
            default: nil
            }
        self.init(code, error.description, hint: hint)
    }

    init(_ error: SystemError) { self.init(.file, error.description) }

    /// True if there was no connection, so other sources would fail as well.
    package var isUnreachable: Bool { code == .unreachable }

    /// True if only this answer has failed, and the next one may succeed.
    var concernsOneAnswer: Bool { [.transfer, .status, .upstreamError, .unreadable, .empty].contains(code) }
}

extension SourceError {
    init(_ body: ErrorBody, in answer: HTTPResponse) {
        let words = [body.message, body.detail].compactMap { $0.map { line($0, limit: 200) } }
        self.init(
            .upstreamError,
            "\(answer.redactedURL) returned an error: \(words.isEmpty ? "no details" : words.joined(separator: ": "))")
    }

    init(noJokesIn answer: HTTPResponse, refused: Int = 0) {
        let items = refused > 0 ? " (items refused: \(refused))" : ""
        self.init(.empty, "\(answer.redactedURL) returned no jokes\(items)")
    }
}

/// The error that an answer states in its body, often with status 200. A field of another type is nil.
struct ErrorBody {
    /// The maximum size in bytes: a longer body has no message for people.
    private static let maxSize = 64 << 10

    private let root: JSONValue

    init?(_ response: HTTPResponse) {
        guard response.mediaType?.isJSON == true, response.body.count <= Self.maxSize,
            let root = try? JSONDocument(response.body, .structure).root, root.kind == .object
        else { return nil }
        self.root = root
    }

    /// True if there is a field `error` that is not `false`.
    var isError: Bool { root.member("error").map { $0.bool ?? true } ?? false }
    var code: Int? { root.optionalMember("code")?.naturalNumber }
    var message: String? { root.optionalText("message") }
    var detail: String? { root.optionalText("additionalInfo") }
}

/// Returns the text in one line without control characters.
func line(_ text: String, limit: Int) -> String {
    let clean = cleanText(String(text.prefix(limit))).split(separator: "\n").joined(separator: " ")
    return text.count > limit ? clean + "..." : clean
}
