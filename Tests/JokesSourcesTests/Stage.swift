import HTTP
import JokesCore
import JokesSources
import TestSupport
import Testing

/// Readers on the loop that all these tests share.
struct Stage {
    let readers: SourceReaders

    init(proxies: ProxySettings = .none) {
        readers = SourceReaders(
            client: .success(HTTPClient(loop: SharedLoop.loop, userAgent: "jokesd/test", proxies: proxies)))
    }

    /// A stage with a proxy that answers for every host, because no redirect may lead to another local server.
    init(proxy: LoopbackServer) {
        self.init(proxies: ProxySettings { $0 == "all_proxy" ? proxy.url : nil })
    }

    /// Returns the reader of the official joke API at the URL.
    func official(_ url: String) throws -> any JokeSource {
        try readers.reader(
            for: SourceConfiguration(name: "official", kind: .officialJokeAPI, url: url, allowLocalNetwork: true))
    }

    /// Returns the reader of a fortune file or folder.
    func fortune(_ path: String, isOptional: Bool = false) throws -> any JokeSource {
        try readers.reader(
            for: SourceConfiguration(name: "fortunes", kind: .fortune, path: path, isOptional: isOptional))
    }
}

extension JokeSource {
    /// Returns the error of a step that must fail.
    func failure(from position: SourcePosition = SourcePosition()) async throws -> SourceError {
        let error = await #expect(throws: SourceError.self) { _ = try await nextBatch(from: position, atMost: nil) }
        return try #require(error)
    }
}

extension [SourceBatch] {
    var jokes: [FetchedJoke] { flatMap(\.jokes) }
    var refused: Int { reduce(0) { $0 + $1.refused } }
}

extension SourceBatch.Progress {
    /// The error of a failed random request; nil if it did not fail.
    var drawError: SourceError? {
        if case .randomFailed(let error) = self { return error }
        return nil
    }
}
