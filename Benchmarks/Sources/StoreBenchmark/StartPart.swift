import Glibc
import JokesCore
import JokesStore
import Measuring
import TestSupport
import Unix

/// From the start of the daemon until it is ready to be asked.
enum StartPart: Part {
    static let name = "start"
    static let summary =
        "from start to ready, also with 10,000 favorites, and without the database, when the journal is replayed; yardstick: the program from start to end, asked for its version"
    private static let starts = 21
    private static let favorites = 10_000

    static func measure(_ cache: Cache) async throws -> [Figure] {
        var figures = [try figure("\(cache.jokes) jokes", cache.folder)]
        try await addFavorites(to: cache)
        figures.append(try figure("\(cache.jokes) jokes, \(favorites) favorites", cache.folder))
        let moved = "\(cache.folder)/moved"
        try makeFolder(moved, mode: 0o700)
        let journal = try contentsOfFile("\(cache.folder)/\(Journal.fileName)", limit: 1 << 26)
        try replaceFile("\(moved)/\(Journal.fileName)", with: journal, mode: 0o600)
        figures.append(
            try figure("\(favorites) lines replayed", moved) {
                for file in ["", "-wal", "-shm"] { unlink("\(moved)/jokes.sqlite\(file)") }
            })
        return figures
    }

    private static func figure(_ what: String, _ folder: String, _ prepare: () throws -> Void = {}) throws -> Figure {
        // The first one shows the jokes by other rules than those that they came under.
        try MeasuredDaemon(on: folder).stop()
        var times: [Double] = []
        var yardstick: [Double] = []
        for _ in 0..<starts {
            try prepare()
            let daemon = try MeasuredDaemon(on: folder)
            times.append(daemon.untilReady)
            try daemon.stop()
            yardstick.append(
                try milliseconds { _ = try ChildProcess.run(try MeasuredDaemon.program("jokesd"), ["--version"]) })
        }
        return Figure(part: name, what: what, values: times, yardstick: ("jokesd --version", yardstick))
    }

    private static func addFavorites(to cache: Cache) async throws {
        let now = Timestamp(microseconds: wallClockMicroseconds())
        let some = (0..<favorites).map { number in
            let text = JokeText.single("Favorite duck number \(number) crossed the road once more.")
            let content = JokeContent(text: text, language: "en", safety: .safe)
            return Keepsake.favorite(Favorite(id: JokeID(rawValue: "x:\(number)"), content: content, favoritedAt: now))
        }
        for start in stride(from: 0, to: favorites, by: 500) {
            _ = try await cache.store.layAside(Array(some[start..<start + 500]), ofImport: 1)
        }
        _ = try await cache.store.finishImport(1, of: favorites, at: now)
    }
}
