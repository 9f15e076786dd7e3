import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// The daemon's memory for watched favorites.
@Suite struct WatchMemoryTests {
    /// Returns typical favorites of about 150 bytes.
    private func favorites(_ numbers: Range<Int>) -> [ExchangeRecord] {
        numbers.map { number in
            let text = JokeText.twoPart(
                setup: "A joke with the number \(number) goes on for about as long as jokes do: a line or two of text.",
                punchline: "And that was number \(number).")
            return .favorite(
                Favorite(
                    id: JokeID(source: "mine", upstream: "\(number)"),
                    content: JokeContent(text: text, language: "en", safety: .safe),
                    favoritedAt: Timestamp(microseconds: Int64(number)), firstSeen: Timestamp(microseconds: 1)))
        }
    }

    @Test(
        "forty generations of ten thousand favorites need less memory than one additional snapshot of them",
        .enabled(if: isSlowTier, "slow tier"))
    func generations() throws {
        let daemon = try DaemonUnderTest()
        let connection = try daemon.connect()
        let count = 10_000
        var id: String?
        for start in stride(from: 0, to: count, by: 1000) {
            let piece = favorites(start..<start + 1000)
            let parameters = ImportMethod.Parameters(id: id, piece, isLast: start + 1000 == count)
            id = try connection.call(ImportMethod.self, parameters).id
        }
        let before = try daemon.peakMemory()
        let watcher = try Watcher(daemon)
        try watcher.begin()
        #expect(try watcher.favorites.count == count)
        // One change includes the memory that any change needs for comparing, encoding and sending.
        let ids = try watcher.jokes
        try connection.toggle(ids[0], isFavorite: false)
        try watcher.next { try $0.favorites.count == count + 1 }
        let snapshot = try daemon.peakMemory() - before
        for id in ids.dropFirst().prefix(40) {
            let known = try watcher.favorites.count
            try connection.toggle(id, isFavorite: false)
            try watcher.next { try $0.favorites.count == known + 1 }
        }
        let generations = try daemon.peakMemory() - before - snapshot
        #expect(snapshot > 1000, "a snapshot needs \(snapshot) kB: too little for the comparison")
        #expect(
            generations < snapshot, "the first snapshot needed \(snapshot) kB, the later generations \(generations) kB")
    }
}
