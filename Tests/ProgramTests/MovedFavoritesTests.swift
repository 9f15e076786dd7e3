import JokesClient
import JokesCore
import JokesProtocol
import Synchronization
import TestSupport
import Testing
import Varlink

/// Favorites that are read page by page while an import puts others between them.
@Suite struct MovedFavoritesTests {
    private func isRefused(_ call: () throws -> Void) throws -> Bool {
        do {
            try call()
            return false
        } catch ClientError.misunderstood(let refusal, _) {
            return refusal == .invalidParameter("cursor")
        }
    }

    @Test("a cursor from before the import is refused, in an export and in the list, and after it all are told")
    func refusedCursor() throws {
        let daemon = try DaemonUnderTest(configuration: #"{"sources": []}"#)
        let client = try daemon.connect()
        let even = (1...300).reversed().map { Wire.FavoriteJoke.numbered(2 * $0) }
        _ = try client.call(ImportMethod.self, .init(favorites: even, last: true))
        let piece = try client.call(ExportMethod.self, .init())
        let page = try client.call(FavoritesMethod.self, .init())
        #expect(piece.favorites?.count == 200 && page.favorites.count == 50)
        _ = try client.call(ImportMethod.self, .init(favorites: [.numbered(3), .numbered(1)], last: true))
        #expect(try isRefused { _ = try client.call(ExportMethod.self, .init(cursor: piece.next)) })
        #expect(try isRefused { _ = try client.call(FavoritesMethod.self, .init(cursor: page.next)) })
        let told: [PrintedJoke] = try daemon.json("favorites")
        #expect(told.map(\.id) == (2...300).reversed().map { "test:\(2 * $0)" } + ["test:3", "test:2", "test:1"])
        #expect(try daemon.control("export").output.split(separator: "\n").count { $0.contains("\"id\"") } == 302)
    }

    @Test("jokesctl begins again where that happens, and says so in the end where it happens each time")
    func beginsAgain() throws {
        let favorites: [Wire.FavoriteJoke] = [.numbered(3), .numbered(2), .numbered(1)]
        let expected = try MovingDaemon(favorites, refusals: 0)
        let moved = try MovingDaemon(favorites, refusals: 2)
        let restless = try MovingDaemon(favorites, refusals: .max)
        for arguments in [["export"], ["--json", "favorites"]] {
            let result = try moved.control(arguments)
            #expect(result.ending == .exited(0) && result.output.contains("test:3"), "\(result)")
            #expect(try result.output == expected.control(arguments).output)
            let failed = try restless.control(arguments)
            #expect(failed.ending == .exited(75) && !failed.output.contains("test:"), "\(failed)")
            #expect(failed.errors.contains("keep changing the order of the favorites"))
        }
    }
}

/// Somebody at the daemon's socket who tells one favorite a page, and refuses so many cursors.
private final class MovingDaemon {
    private final class Refusals: Sendable {
        private let left: Mutex<Int>

        init(_ count: Int) {
            left = Mutex(count)
        }

        /// The favorite at the cursor, and the cursor of the next.
        func page(
            _ favorites: [Wire.FavoriteJoke], _ cursor: String?
        ) throws -> (favorite: Wire.FavoriteJoke, next: String?) {
            let place = Int(cursor ?? "0") ?? 0
            let isRefused = left.withLock { left in
                guard left > 0 && place == 2 else { return false }
                left -= 1
                return true
            }
            if isRefused { throw ErrorReply.invalidParameter("cursor") }
            return (favorites[place], place + 1 < favorites.count ? "\(place + 1)" : nil)
        }
    }

    private let folder: TemporaryFolder
    private let loop: VarlinkLoop
    private let service: VarlinkService

    init(_ favorites: [Wire.FavoriteJoke], refusals count: Int) throws {
        folder = try TemporaryFolder()
        loop = try VarlinkLoop()
        // Of the list and of the export each.
        let (listed, exported) = (Refusals(count), Refusals(count))
        let interface = try VarlinkInterface(
            JokesInterface.description,
            methods: [
                .answer(FavoritesMethod.name) { (parameters: FavoritesMethod.Parameters) in
                    let page = try listed.page(favorites, parameters.cursor)
                    return FavoritesMethod.Reply(favorites: [page.favorite], total: favorites.count, next: page.next)
                },
                .answer(ExportMethod.name) { (parameters: ExportMethod.Parameters) in
                    let page = try exported.page(favorites, parameters.cursor)
                    return ExportMethod.Reply(favorites: [page.favorite], next: page.next)
                },
                .answer(StatusMethod.name) {
                    StatusMethod.Reply(
                        version: "0", epoch: "0", generation: 0, startedAt: 0, cached: 0, stored: 0, evicted: 0,
                        favorites: favorites.count, favoritesLeftOut: 0, sources: 0, failing: [], syncing: false,
                        offline: false, lastSync: nil, nextSync: nil, subscribers: 0, storageFailure: nil,
                        storageHint: nil, recoveries: [])
                },
            ])
        service = VarlinkService(
            VarlinkService.Information(vendor: "test", product: "test", version: "0", url: "https://test.invalid"),
            interfaces: [interface], on: loop, explain: { _ in .permissionDenied })
        try service.listen(at: folder.path("s"))
        try loop.start(name: "moving")
    }

    deinit {
        loop.perform { [service, loop] in
            service.stop()
            loop.stop()
        }
    }

    func control(_ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(builtProgram("jokesctl"), ["--socket", folder.path("s")] + arguments)
    }
}
