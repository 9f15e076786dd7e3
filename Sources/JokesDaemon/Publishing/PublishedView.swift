import Diffable
import JokesCore

/// Who watches a view: what it has, and what it lacks.
final class Subscriber {
    let number: Int
    let watcher: any Watcher
    let published: PublishedView
    /// What it was sent last; nil before the first snapshot.
    var generation: Int64?
    /// What leads to that: the pieces of a snapshot go out one at a time, as it takes them.
    var messages: Messages?
    /// How many of them it was sent.
    var sent = 0
    /// It gets a first answer even where there is nothing new to it.
    var awaitsFirst = true

    init(_ number: Int, _ watcher: any Watcher, of published: PublishedView, generation: Int64?) {
        self.number = number
        self.watcher = watcher
        self.published = published
        self.generation = generation
    }

    /// The next message that it lacks, which counts as sent from then on; nil where it lacks nothing.
    ///
    /// `elsewhere` knows the generations of other views.
    func nextMessage(elsewhere: (Int64) -> JokeSnapshot?) -> Message? {
        if messages == nil {
            messages = published.history.messages(from: generation, isFirst: awaitsFirst, elsewhere: elsewhere)
            sent = 0
            generation = published.history.generation
        }
        guard let messages else { return nil }
        awaitsFirst = false
        sent += 1
        if sent == messages.all.count { self.messages = nil }
        return messages.all[sent - 1]
    }

    /// It is in the midst of a picture that is not the newest any more.
    var isBehindItsPicture: Bool {
        messages.map { $0.generation < published.history.generation } ?? false
    }

    /// Gives up the picture in whose midst it is: it begins anew with the newest one.
    func beginAnew() {
        messages = nil
        generation = nil
    }
}

/// A view that somebody watches or watched: its picture and those who see it.
///
/// Its data source finds what is different, and is observed for it.
final class PublishedView {
    let view: View
    let source: JokeDataSource
    var history: ViewHistory
    var subscribers: [Int: Subscriber] = [:]
    /// What its query has found; nothing for a view without one.
    var found: SearchResults
    /// The jokes have changed since it was searched for.
    var isStale = false
    /// It waits for its turn.
    var isWaiting = false
    private var observation: DiffableObservation?

    /// `newGeneration` is called for every picture after this first one.
    init(
        _ view: View, _ snapshot: JokeSnapshot, found: SearchResults, epoch: String, generation: Int64,
        newGeneration: @escaping () -> Int64
    ) {
        self.view = view
        self.found = found
        source = JokeDataSource(snapshot)
        history = ViewHistory(epoch: epoch, snapshot: source.snapshot(), generation: generation)
        observation = source.observe { [unowned self] step in
            history.advance(by: step.difference, to: step.finalSnapshot, generation: newGeneration()) {
                Set(subscribers.values.compactMap(\.generation))
            }
        }
    }
}

/// What the pictures are made of: the state, and what finds jokes.
struct Pictures {
    let catalog: Catalog
    /// The jokes that fit a query, at most so many.
    let find: (_ query: String, _ limit: Int) throws -> SearchResults

    /// What a view's query finds now.
    func results(for view: View) throws -> SearchResults {
        guard view.shows(.searchResults), let query = view.query else { return SearchResults() }
        return try find(query, view.size ?? catalog.feedSize)
    }
}
