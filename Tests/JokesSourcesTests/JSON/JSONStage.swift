import JSON
import JokesCore
import JokesSources
import TestSupport
import Testing

extension JSONPointer: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("a test has a pointer that is none: \(text)")
        }
    }
}

/// Returns a mapping with changes.
func mapping(_ edit: (inout JSONMapping) -> Void) -> JSONMapping {
    var mapping = JSONMapping()
    edit(&mapping)
    return mapping
}

extension Stage {
    /// Returns the reader of a JSON source.
    func json(
        _ url: String, languages: [String] = [], headers: [SentField] = [], _ mapping: JSONMapping
    ) throws -> any JokeSource {
        try readers.reader(
            for: SourceConfiguration(
                name: "mine", kind: .json, url: url, languages: languages, headers: headers, allowLocalNetwork: true,
                json: mapping))
    }
}

/// Returns the batches or the error of a sync with one request.
func outcome(
    of answer: LoopbackAnswer, _ mapping: JSONMapping = mapping { _ in }
) async throws -> Result<[SourceBatch], SourceError> {
    let server = try LoopbackServer()
    server.route("/jokes", answer)
    return try await Stage().json(server.url + "/jokes", mapping).outcome()
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
