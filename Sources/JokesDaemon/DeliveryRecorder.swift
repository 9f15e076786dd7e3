import JokesStore
import Unix

/// Records the served jokes after the reply, so that they are not served again soon.
@ServiceActor
final class DeliveryRecorder {
    /// The minimum time between two writes: a burst of jokes needs a few writes, not one write for each joke.
    private static let interval: Duration = .milliseconds(100)

    /// Called after the store has recorded deliveries.
    var onRecorded: () -> Void = {}
    private let loop: EventLoop
    private let reader: JokeReader
    private let writer: StoreWriter
    private var hasUnrecorded = false
    private var recording: Task<Void, Never>?

    init(_ reader: JokeReader, _ writer: StoreWriter, on loop: EventLoop) {
        self.reader = reader
        self.writer = writer
        self.loop = loop
    }

    /// Records the served jokes: the first joke of a burst immediately, the others after `interval`.
    func record() {
        hasUnrecorded = true
        guard recording == nil else { return }
        recording = Task(executorPreference: loop) { await self.recordAll() }
    }

    private func recordAll() async {
        while hasUnrecorded {
            hasUnrecorded = false
            let deliveries = reader.unrecorded
            if deliveries.isEmpty { continue }
            let isRecorded: Void? = try? await writer.write { try $0.record(deliveries, at: .now) }
            if isRecorded != nil {
                reader.discardRecorded(deliveries)
                onRecorded()
            }
            if hasUnrecorded { try? await loop.sleep(for: Self.interval) }
        }
        recording = nil
    }

    /// Records all served jokes, and returns after the write.
    func finish() async {
        record()
        // Ends the sleep; a running write continues.
        recording?.cancel()
        await recording?.value
    }
}
