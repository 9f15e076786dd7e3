import TestSupport
import Testing
import Unix

@Suite struct LoopSleepTests {
    private let loop = SharedLoop.loop

    @Test("a sleep is no shorter than asked for, and many at once end in the order of their lengths")
    func order() async throws {
        let ended = Locked([Int]())
        try await withThrowingTaskGroup(of: Void.self) { group in
            let start = BootInstant.now
            for number in [3, 1, 2, 0] {
                group.addTask { [loop] in
                    let length = Duration.milliseconds(number * 40)
                    try await loop.sleep(for: length)
                    #expect(start.duration(to: .now) >= length)
                    ended.withLock { $0.append(number) }
                }
            }
            try await group.waitForAll()
        }
        #expect(ended.withLock { $0 } == [0, 1, 2, 3])
    }

    @Test("a cancelled sleep ends at once, whether it had begun or not", arguments: [true, false])
    func cancelled(_ hasBegun: Bool) async throws {
        let began = try Gate()
        let task = Task { [loop] in
            began.open()
            try await loop.sleep(for: .seconds(86_400))
        }
        if hasBegun { try waitUntil(began.descriptor, Deadline()) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
