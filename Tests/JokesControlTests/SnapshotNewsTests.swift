import Diffable
import JokesCore
import Testing

@testable import JokesControl

/// The lines of `jokesctl watch`.
@Suite struct SnapshotNewsTests {
    private func joke(_ number: Int) -> Joke {
        Joke(
            id: JokeID(rawValue: "t:\(number)"), content: JokeContent(text: .single("Joke \(number).")),
            isFavorite: false, firstSeen: Timestamp(microseconds: Int64(number)))
    }

    /// A snapshot of jokes, newest first, and of failed sources.
    private func snapshot(_ jokes: [Joke], failing: [String] = []) throws -> JokeSnapshot {
        var snapshot = JokeSnapshot()
        snapshot.appendSections([.jokes(JokesHeader(shown: jokes.count, failing: failing))])
        try snapshot.appendItems(jokes.map(Item.joke), toSection: .jokes)
        return snapshot
    }

    @Test("a failure from before the first snapshot is not reported with a later change")
    func oldFailure() throws {
        var news = SnapshotNews()
        #expect(try news.take(snapshot([joke(1)], failing: ["dad"])) == [.joke(joke(1))])
        #expect(try news.take(snapshot([joke(2), joke(1)], failing: ["dad"])) == [.joke(joke(2))])
        #expect(
            try news.take(snapshot([joke(2), joke(1)], failing: ["geese"]))
                == [
                    .remark("geese fails; 'jokesctl sources' shows the reason."), .remark("dad no longer fails."),
                ])
    }
}
