import Glibc
import JokesCore
import JokesStore
import Measuring
import TestSupport
import Unix

/// The time from the start of the daemon until it is ready for calls.
enum StartPart: Part {
    static let name = "start"
    static let summary =
        "from start to ready, also with 10,000 favorites, and without a database, so the journal is replayed; yardstick: jokesd --version"
    private static let starts = 21
    private static let favorites = 10_000

    static func measure(_ cache: Cache) async throws -> [Figure] {
        var figures = [try figure("\(cache.jokes) jokes", copy(cache, to: "jokes"))]
        try await addFavorites(to: cache)
        let whole = "\(cache.jokes) jokes, \(favorites) favorites"
        figures.append(try figure(whole, copy(cache, to: "favorites")))
        // This process has the database open, so the WAL stays, as after a crash.
        figures.append(try figure("\(whole), after a crash", cache.folder))
        let moved = try copy(cache, to: "moved")
        figures.append(
            try figure("\(favorites) lines replayed", moved) {
                for file in ["", "-wal", "-shm"] { unlink("\(moved)/jokes.sqlite\(file)") }
            })
        return figures
    }

    /// Copies the database and the journal to another folder.
    private static func copy(_ cache: Cache, to name: String) throws -> String {
        let folder = "\(cache.folder)/\(name)"
        try makeFolder(folder, mode: 0o700)
        for file in ["jokes.sqlite", "jokes.sqlite-wal", Journal.fileName]
        where access("\(cache.folder)/\(file)", F_OK) == 0 {
            let bytes = try contentsOfFile("\(cache.folder)/\(file)", limit: 1 << 28)
            try replaceFile("\(folder)/\(file)", with: bytes, mode: 0o600)
        }
        return folder
    }

    private static func figure(_ what: String, _ folder: String, _ prepare: () throws -> Void = {}) throws -> Figure {
        // The first start applies other rules to the stored jokes than those that they were stored with.
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
            return ExchangeRecord.favorite(
                Favorite(id: JokeID(rawValue: "x:\(number)"), content: content, favoritedAt: now))
        }
        for start in stride(from: 0, to: favorites, by: 500) {
            _ = try await cache.store.stage(Array(some[start..<start + 500]), ofImport: 1)
        }
        _ = try await cache.store.finishImport(1, at: now)
    }
}
