import JokesStore
import Unix

/// Records the served jokes after the reply, so that they are not served again soon.
@ServiceActor
final class DeliveryRecorder {
    /// The minimum time between two writes: a burst of jokes is a few writes, not one for each joke.
    private static let interval: Duration = .milliseconds(100)

    private let loop: EventLoop
    private let reader: JokeReader
    private let writer: StoreWriter
    private var hasNew = false
    private var recording: Task<Void, Never>?

    init(_ reader: JokeReader, _ writer: StoreWriter, on loop: EventLoop) {
        self.reader = reader
        self.writer = writer
        self.loop = loop
    }

    /// Records what the reader has served: the first joke of a burst at once.
    func record() {
        hasNew = true
        guard recording == nil else { return }
        recording = Task(executorPreference: loop) { await self.recordAll() }
    }

    private func recordAll() async {
        while hasNew {
            hasNew = false
            let deliveries = reader.unrecorded
            // Writing nothing would not show that changes can be stored.
            if deliveries.isEmpty { continue }
            let isRecorded: Void? = try? await writer.write { try $0.record(deliveries, at: .now) }
            if isRecorded != nil { reader.discardRecorded(deliveries) }
            if hasNew { try? await loop.sleep(for: Self.interval) }
        }
        recording = nil
    }

    /// Waits until everything that was served is recorded.
    func finish() async {
        record()
        // Ends the sleep; a running write continues.
        recording?.cancel()
        await recording?.value
    }
}
