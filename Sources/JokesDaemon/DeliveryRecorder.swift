import JokesStore
import Unix

/// Records the served jokes in the store. The reply to `Random` does not wait for the write: until then, the reader
/// counts the deliveries in memory.
@ServiceActor
final class DeliveryRecorder {
    /// The minimum time between two writes: a burst of jokes needs a few writes, not one write for each joke.
    private static let interval: Duration = .milliseconds(100)

    /// Called after the store has recorded deliveries.
    var onRecorded: (Deliveries) -> Void = { _ in }
    private let loop: EventLoop
    private let reader: JokeReader
    private let writer: StoreWriter
    private var hasUnrecorded = false
    private var lastWrite: BootInstant?
    private var recording: Task<Void, Never>?

    init(_ reader: JokeReader, _ writer: StoreWriter, on loop: EventLoop) {
        self.reader = reader
        self.writer = writer
        self.loop = loop
    }

    /// True if served jokes are not recorded yet.
    var isPending: Bool { recording != nil }

    /// Records the served jokes: immediately, or `interval` after the last write.
    func record() {
        hasUnrecorded = true
        guard recording == nil else { return }
        recording = Task(executorPreference: loop) { await self.recordAll() }
    }

    private func recordAll() async {
        while hasUnrecorded {
            let pause = lastWrite.map { Self.interval - $0.duration(to: .now) } ?? .zero
            if pause > .zero { try? await loop.sleep(for: pause) }
            hasUnrecorded = false
            let deliveries = reader.unrecorded
            if deliveries.isEmpty { continue }
            lastWrite = .now
            let isRecorded: Void? = try? await writer.write { try $0.record(deliveries, at: .now) }
            if isRecorded != nil {
                reader.discardRecorded(deliveries)
                onRecorded(deliveries)
            }
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
