import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Pages of jokes of the maximum length, in characters that take two bytes as JSON.
@Suite struct LongPageTests {
    private let count = 150

    /// Returns the rows of all pages, none of them over a megabyte, and the number of pages.
    private func all<Method: JokesMethod>(
        _ method: Method.Type, _ daemon: DaemonUnderTest, _ parameters: (_ cursor: String?) -> Method.Parameters,
        _ page: (Method.Reply) -> (rows: [JokeID], next: String?)
    ) throws -> (rows: [JokeID], pages: Int) {
        let client = try VarlinkClient(connectingTo: daemon.socket, replyLimit: 1 << 20)
        var (rows, pages, cursor): ([JokeID], Int, String?) = ([], 0, nil)
        repeat {
            let reply = page(try client.call(method.fullName, parameters(cursor), returning: Method.Reply.self))
            rows += reply.rows
            cursor = reply.next
            pages += 1
            try #require(pages < count && !reply.rows.isEmpty)
        } while cursor != nil
        return (rows, pages)
    }

    @Test(
        "List, Search, Favorites and Export shorten a page to the size of a message, and omit no row",
        .enabled(if: isSlowTier, "slow tier"))
    func pages() async throws {
        let daemon = try await DaemonUnderTest.withJokes(count, bytesEach: 8100, filling: " \"\"\"\"\"\"\"\"")
        let listed = try all(ListMethod.self, daemon) {
            ListMethod.Parameters(.init(source: "fortunes"), cursor: $0, limit: 100)
        } _: {
            ($0.jokes.map(\.id), $0.next)
        }
        #expect(listed.rows.count == count && Set(listed.rows).count == count && listed.pages > 2)
        let found = try all(SearchMethod.self, daemon) {
            SearchMethod.Parameters(.init(query: "goes on", cursor: $0, limit: 100))
        } _: {
            ($0.found.map(\.joke.id), $0.next)
        }
        #expect(Set(found.rows) == Set(listed.rows) && found.rows.count == count && found.pages > 2)
        let connection = try daemon.connect()
        for id in listed.rows { try connection.toggle(id, isFavorite: false) }
        let favorites = try all(FavoritesMethod.self, daemon) {
            FavoritesMethod.Parameters(cursor: $0, limit: 100)
        } _: {
            ($0.favorites.map(\.id), $0.next)
        }
        #expect(favorites.rows == listed.rows.reversed() && favorites.pages > 2)
        var exported: [JokeID] = []
        var cursor: String?
        let client = try VarlinkClient(connectingTo: daemon.socket, replyLimit: 1 << 20)
        repeat {
            let reply = try client.call(
                ExportMethod.fullName, ExportMethod.Parameters(cursor: cursor), returning: ExportMethod.Reply.self)
            exported += (reply.favorites ?? []).map(\.id)
            cursor = reply.next
        } while cursor != nil
        #expect(exported == favorites.rows)
        // A page of short jokes has as many as requested.
        let short = try connection.call(ListMethod.self, .init(.init(source: "starter"), limit: 100))
        #expect(short.next == nil || short.jokes.count == 100)
    }
}
