import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct ValidatorTests {
    @Test("a JSON source stores the validators of a 304, and keeps those that it does not state")
    func json() async throws {
        let server = try LoopbackServer()
        let date = "Fri, 20 Nov 2026 14:01:13 GMT"
        server.route("/jokes") { request in
            request.header("If-None-Match") == nil
                ? .json(#"["One."]"#, headers: [("ETag", "\"one\""), ("Last-Modified", date)])
                : LoopbackAnswer(status: 304, headers: [("ETag", "\"two\"")])
        }
        let source = try Stage().json(server.url + "/jokes", mapping { _ in })
        var position = try #require(try await source.sync().last).position
        position = try #require(try await source.sync(from: position).last).position
        #expect(position.validators == .init(etag: "\"two\"", lastModified: date))
        _ = try await source.sync(from: position)
        #expect(server.requests.last?.header("If-None-Match") == "\"two\"")
    }

    @Test("the official joke API stores the validators of a 304, and keeps those that it does not state")
    func official() async throws {
        let server = try OfficialJokeServer([.init(type: "dad", setup: "Why?", punchline: "Because.")])
        let source = try Stage().official(server.url)
        var position = try #require(try await source.sync().last).position
        position.validators.lastModified = "Fri, 20 Nov 2026 14:01:13 GMT"
        let other = try LoopbackServer()
        other.routeEverythingElse { _ in LoopbackAnswer(status: 304, headers: [("ETag", "\"new\"")]) }
        let next = try #require(try await Stage().official(other.url).sync(from: position).last)
        #expect(next.progress == .unchanged && next.position.validators.etag == "\"new\"")
        #expect(next.position.validators.lastModified == position.validators.lastModified)
    }
}
