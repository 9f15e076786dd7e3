import HTTP
import JokesCore
import JokesProtocol
import JokesSources
import Varlink

extension SyncWorker {
    /// The maximum number of steps of a sample: some services need a request for each joke.
    private static let maxSteps = 10

    /// Fetches the first jokes of a source from its beginning, and stores nothing.
    ///
    /// - Throws: `SourceError`; `ErrorReply` if all items are refused.
    func sample(
        of source: SourceConfiguration, _ filter: JokeFilter, through gate: RequestGate
    ) async throws -> Wire.SourceSample {
        let reader = try readers.reader(for: source, through: gate)
        var sample = SampleBuilder(source, filter)
        var position = SourcePosition()
        var lastError: SourceError?
        for step in 1...Self.maxSteps {
            let batch: SourceBatch
            do throws(SourceError) {
                batch = try await reader.nextBatch(from: position, atMost: source.limit)
            } catch {
                // Returns the jokes that were fetched before the error.
                if sample.isEmpty || error.code == .cancelled { throw error }
                sample.note("The next request failed: \(error).")
                break
            }
            position = batch.position
            await sample.add(batch)
            switch batch.progress {
            case .more, .random, .randomFailed:
                if case .randomFailed(let error) = batch.progress { lastError = error }
                if !sample.isFull && step < Self.maxSteps { continue }
                if batch.progress == .more { sample.note("Only the first jokes were fetched. A sync fetches all.") }
            case .absent(let sentence): sample.note("\(sentence).")
            case .partial, .complete, .unchanged: break
            }
            break
        }
        if sample.isEmpty, let lastError { throw lastError }
        return try sample.result()
    }

    /// Fetches the URL of a draft once, and recognizes the type and the keys of the entry from the answer.
    func recognize(
        _ draft: SourceDraft, _ filter: JokeFilter, through gate: RequestGate
    ) async throws -> (draft: SourceDraft, sample: Wire.SourceSample) {
        let found = try await readers.recognize(try draft.configuration(), through: gate)
        let complete = draft.completed(with: found.entry)
        let source = try complete.configuration()
        var sample = SampleBuilder(source, filter)
        for note in found.notes { sample.note(note) }
        await sample.add(found.batch)
        return (complete, try sample.result())
    }
}

/// Counts fetched jokes, and keeps the first `SourceSample.maxJokes` of them.
private struct SampleBuilder {
    private let normalizer: Normalizer
    private let source: SourceConfiguration
    private let filter: JokeFilter
    private var sample = Wire.SourceSample(jokes: [], read: 0, refused: 0, unrated: 0, shown: 0, notes: [])

    init(_ source: SourceConfiguration, _ filter: JokeFilter) {
        (self.source, self.filter) = (source, filter)
        normalizer = Normalizer(source: source.name)
    }

    var isFull: Bool { sample.jokes.count == Wire.SourceSample.maxJokes }
    var isEmpty: Bool { sample.read + sample.refused == 0 }

    mutating func note(_ sentence: String) { sample.notes.append(sentence) }

    /// Adds all jokes of a batch, and lets other work on this thread continue after each few.
    mutating func add(_ batch: SourceBatch) async {
        sample.refused += batch.refused
        for (index, fetched) in batch.jokes.enumerated() {
            if index % 64 == 63 { await Task.yield() }
            guard let joke = try? normalizer.normalize(fetched) else {
                sample.refused += 1
                continue
            }
            let content = source.defaults.applied(to: joke.content)
            sample.read += 1
            if content.safety == .unknown { sample.unrated += 1 }
            if filter.admits(content) && source.filter?.admits(content) ?? true { sample.shown += 1 }
            if isFull { continue }
            sample.jokes.append(Wire.Joke(Joke(id: joke.id, content: content, isFavorite: false, firstSeen: .now)))
        }
        batch.permission?.release()
    }

    /// Returns the sample. Throws `SourceFailed` if all items are refused.
    func result() throws -> Wire.SourceSample {
        if sample.read == 0 && sample.refused > 0 {
            throw ErrorReply(JokesError.sourceFailed(reason: SyncWorker.reason(ifAllAreRefused: sample.refused)))
        }
        return sample
    }
}
