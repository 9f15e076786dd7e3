import TestSupport
import Testing
import Unix

@Suite struct LoopSleepTests {
    private let loop = SharedLoop.loop

    @Test("no sleep is too short, however many run at once")
    func length() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask { [loop] in
                    let length = Duration.milliseconds(number % 20)
                    let start = BootInstant.now
                    try await loop.sleep(for: length)
                    return start.duration(to: .now) >= length
                }
            }
            for try await isLongEnough in group { #expect(isLongEnough) }
        }
    }

    @Test("a canceled sleep ends at once, before or after its start", arguments: [true, false])
    func cancelled(_ hasBegun: Bool) async throws {
        let began = try Gate()
        // Not on the threads of the runtime: this waiting test may have the only one.
        let task = Task(executorPreference: loop) { [loop] in
            began.open()
            try await loop.sleep(for: .seconds(86_400))
        }
        if hasBegun { try waitUntil(began.descriptor) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
