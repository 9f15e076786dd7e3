import HTTP
import JokesCore
import JokesSources
import JokesStore
import Unix

/// One sync of a source: request, answer, slice, store, next.
struct Sync {
    private let source: SourceConfiguration
    /// The position of the next request. The stored one belongs to the stored jokes.
    private var position: SourcePosition
    /// The number of jokes until the limit of the source; nil for no limit.
    private var left: Int?
    private var draws = RandomRequests()
    private(set) var report = SyncReport()

    init(_ source: SourceConfiguration, at position: SourcePosition) {
        (self.source, self.position) = (source, position)
        left = source.limit
    }

    /// Runs the sync to its end. After an error, the stored slices stay. Ends within a slice if the task is canceled.
    mutating func run(
        _ reader: any JokeSource, on worker: isolated SyncWorker,
        onStored: @Sendable (SyncReport, _ changesFavorites: Bool) async -> Void
    ) async throws {
        var progress = SourceBatch.Progress.more
        while try continues(after: progress) {
            guard var batch = try await nextBatch(of: reader) else { return }
            let inserted = try await store(batch, on: worker, onStored)
            (position, progress) = (batch.position, batch.progress)
            if let permission = batch.permission {
                batch.jokes = []
                returnFreeMemory()
                permission.release()
            }
            switch progress {
            case .random: draws.count(nil, foundNew: inserted > 0)
            case .randomFailed(let error): draws.count(error)
            case .more, .partial, .complete, .unchanged, .absent: break
            }
        }
    }

    /// Returns the next batch; nil if the sync must wait too long for its server, and continues later.
    private mutating func nextBatch(of reader: any JokeSource) async throws -> SourceBatch? {
        do throws(SourceError) {
            return try await reader.nextBatch(from: position, atMost: left)
        } catch {
            guard error.code == .paused else { throw error }
            if let failure = draws.failure { throw failure }
            // Random requests have no position to continue from, so the next sync waits for the interval.
            report.isPaused = draws.count == 0
            return nil
        }
    }

    /// Normalizes and stores a batch in slices of about 15 ms, between which other changes and syncs get their turns. The last
    /// slice has the position after the batch. Returns the number of jokes that the source has not had before.
    private mutating func store(
        _ batch: SourceBatch, on worker: isolated SyncWorker,
        _ onStored: @Sendable (SyncReport, _ changesFavorites: Bool) async -> Void
    ) async throws -> Int {
        let normalizer = Normalizer(source: source.name)
        // A random answer is independent of the last one, and is never requested again.
        let isRandom = batch.progress == .random
        let beginsPass = batch.beginsPass || batch.beginsFullSync || position.cursor == nil || isRandom
        var rest = batch.jokes[...]
        var (isFirst, inserted) = (true, 0)
        if case .absent(let sentence) = batch.progress { report.note = sentence }
        repeat {
            try Task.checkCancellation()
            let slice = rest.prefix(JokeStore.sliceCount)
            rest.removeFirst(slice.count)
            let jokes = slice.compactMap { try? normalizer.normalize($0) }
            left = left.map { max(0, $0 - slice.count) }
            report.seen += jokes.count
            report.refused += slice.count - jokes.count + (rest.isEmpty ? batch.refused : 0)
            // A sync whose items are all bad has failed: it does not show that other jokes are gone, and the items are
            // requested again.
            let isFailure = report.seen == 0 && report.refused > 0
            let part = BatchPart(
                beginsFullSync: isFirst && batch.beginsFullSync,
                completesFullSync: rest.isEmpty && batch.progress == .complete && !isFailure,
                isInFullSync: !isRandom, beginsPass: isFirst && beginsPass, endsAnswer: rest.isEmpty || isRandom)
            let position = rest.isEmpty && !isFailure ? batch.position : nil
            let mustStore = part.beginsFullSync || part.completesFullSync || part.beginsPass && batch.progress == .more
            var changesFavorites = false
            if !jokes.isEmpty || mustStore {
                let stored = try await worker.store.ingest(
                    jokes, from: source.name, at: .now, part: part, position: position)
                report.new += stored.new
                report.changed += stored.changed
                report.duplicates += stored.duplicates
                inserted += stored.inserted
                changesFavorites = stored.hasChangedFavorites
            } else if let position, position != self.position {
                try await worker.store.save(position, of: source.name)
            }
            await onStored(report, changesFavorites)
            isFirst = false
        } while !rest.isEmpty
        return inserted
    }

    private func continues(after progress: SourceBatch.Progress) throws -> Bool {
        switch progress {
        case .more: return left != 0
        case .random, .randomFailed:
            if left != 0 && !draws.areOver { return true }
            if let failure = draws.failure { throw failure }
            return false
        case .partial, .complete, .unchanged, .absent: return false
        }
    }
}

/// The random requests of one sync.
private struct RandomRequests {
    private(set) var count = 0
    /// The number of successful requests minus the number of failed ones.
    private var balance = 0
    /// The number of consecutive successful requests without a new joke.
    private var withoutNewJoke = 0
    private var lastError: SourceError?

    /// True if the sync must send no more requests: after 50 requests, after three in a row without a new joke, because
    /// most jokes are stored by then, or if three more have failed than succeeded.
    var areOver: Bool { count == 50 || withoutNewJoke == 3 || balance == -3 }

    /// The last error if more requests failed than succeeded; otherwise nil.
    var failure: SourceError? { balance < 0 ? lastError : nil }

    mutating func count(_ error: SourceError?, foundNew: Bool = false) {
        count += 1
        balance += error == nil ? 1 : -1
        if error == nil { withoutNewJoke = foundNew ? 0 : withoutNewJoke + 1 }
        lastError = error ?? lastError
    }
}
