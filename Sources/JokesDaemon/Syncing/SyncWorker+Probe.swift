import HTTP
import JokesCore
import JokesProtocol
import JokesSources

extension SyncWorker {
    /// The maximum number of steps of a sample: some services need a request for each joke.
    private static let maxSteps = 10

    /// Fetches the first jokes of a source from its beginning, and stores nothing.
    ///
    /// - Throws: `SourceError`; `JokesError` if all items are refused.
    func sample(
        of source: SourceConfiguration, _ filter: JokeFilter, through gate: RequestGate
    ) async throws -> SourceSample {
        let reader = try readers.reader(for: source, through: gate)
        var sample = SourceSample()
        var (position, progress) = (SourcePosition(), SourceBatch.Progress.more)
        for _ in 1...Self.maxSteps where [.more, .random].contains(progress) && !sample.isFull {
            do throws(SourceError) {
                let batch = try await reader.nextBatch(from: position, atMost: source.limit)
                if case .randomFailed(let error) = batch.progress { throw error }
                (position, progress) = (batch.position, batch.progress)
                await sample.add(batch, of: source, filter)
            } catch {
                // Returns the jokes that were fetched before the error.
                if sample.isEmpty || error.code == .cancelled { throw error }
                sample.notes.append("The next request failed: \(error).")
                return try sample.checked()
            }
        }
        if progress == .more { sample.notes.append("Only the first jokes were fetched. A sync fetches all.") }
        if case .absent(let sentence) = progress { sample.notes.append("\(sentence).") }
        return try sample.checked()
    }

    /// Fetches the URL of a draft, or reads its file, and recognizes the type and the keys of the entry from the answer.
    func recognize(
        _ draft: SourceDraft, _ filter: JokeFilter, through gate: RequestGate
    ) async throws -> (draft: SourceDraft, sample: SourceSample) {
        let found = try await readers.recognize(try draft.configuration(), through: gate)
        let complete = try draft.completed(with: found.entry, title: found.title)
        let source = try complete.configuration()
        var sample = SourceSample()
        sample.notes = found.notes
        await sample.add(found.batch, of: source, filter)
        return (complete, try sample.checked())
    }
}

extension SourceSample {
    fileprivate var isFull: Bool { jokes.count == Self.maxJokes }
    fileprivate var isEmpty: Bool { read + refused == 0 }

    /// Counts all jokes of a batch, keeps the first `maxJokes`, and lets other work on this thread continue after each few.
    fileprivate mutating func add(
        _ batch: SourceBatch, of source: SourceConfiguration, _ filter: JokeFilter
    ) async {
        let normalizer = Normalizer(source: source.name)
        refused += batch.refused
        for (index, fetched) in batch.jokes.enumerated() {
            if index % 64 == 63 { await Task.yield() }
            guard let joke = try? normalizer.normalize(fetched) else {
                refused += 1
                continue
            }
            let content = source.defaults.applied(to: joke.content)
            read += 1
            if content.safety == .unknown { unrated += 1 }
            if filter.admits(content) && source.filter?.admits(content) ?? true { shown += 1 }
            if isFull { continue }
            jokes.append(Joke(id: joke.id, content: content, isFavorite: false, firstSeen: .now))
        }
        batch.permission?.release()
    }

    /// Returns the sample. Throws `SourceFailed` if all items are refused.
    fileprivate func checked() throws -> Self {
        if read > 0 || refused == 0 { return self }
        throw JokesError.sourceFailed(reason: SyncWorker.reason(ifAllAreRefused: refused))
    }
}
