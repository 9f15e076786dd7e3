import HTTP
import JSON
import JokesCore

/// The error that an answer states in its body, often with status 200. A field of another type is nil.
struct ErrorBody: Decodable {
    /// Whether there is a field `error` that is not `false`.
    let isError: Bool
    let type: String?
    let status: NumberOrText?
    let code: NumberOrText?
    let message: String?
    let detail: String?

    /// The maximum size in bytes: a longer body has no message for people.
    private static let maxSize = 64 << 10

    private enum Key: String, CodingKey {
        case error, type, status, code, message, additionalInfo
    }

    init?(_ response: HTTPResponse) {
        guard response.mediaType?.isJSON == true, response.body.count <= Self.maxSize,
            let body = try? JSONDocument(response.body, .structure).root.decode(ErrorBody.self)
        else { return nil }
        self = body
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        isError = values.contains(.error) && (try? values.decode(Bool.self, forKey: .error)) ?? true
        type = try? values.decode(String.self, forKey: .type)
        status = try? values.decode(NumberOrText.self, forKey: .status)
        code = try? values.decode(NumberOrText.self, forKey: .code)
        message = try? values.decode(String.self, forKey: .message)
        detail = try? values.decode(String.self, forKey: .additionalInfo)
    }
}

extension SourceError {
    /// The message of an answer with an error.
    init(_ body: ErrorBody, in answer: HTTPResponse) {
        let error = body.status.map { "error \(line($0.text, limit: 20))" } ?? "an error"
        let words = [body.message, body.detail].compactMap { $0.map { line($0, limit: 200) } }
        self.init(
            .upstreamError,
            "\(answer.redactedURL) returned \(error): \(words.isEmpty ? "no details" : words.joined(separator: ": "))")
    }

    /// An answer without jokes.
    init(noJokesIn answer: HTTPResponse, refused: Int = 0) {
        let items = refused > 0 ? " (items refused: \(refused))" : ""
        self.init(.empty, "\(answer.redactedURL) returned no jokes\(items)")
    }
}
