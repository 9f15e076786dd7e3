import Glibc
import TestSupport
import Testing
import Unix

@Suite struct SignalWatchTests {
    @Test("a watched signal is an event of the loop, and is unblocked after the end")
    func watched() async throws {
        let loop = try EventLoop()
        let came = try Mailbox<Int32>()
        let owner = SignalOwner(loop: loop, came: came)
        try loop.start(name: "signal test")
        try await owner.raiseWatched(SIGWINCH)
        try #expect(came.take() == SIGWINCH)
        await owner.raiseUnwatched(SIGWINCH)
        try #expect(came.take() == -1)
        loop.stop()
    }
}

private actor SignalOwner {
    private let loop: EventLoop
    private let came: Mailbox<Int32>
    private var watch: SignalWatch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, came: Mailbox<Int32>) {
        self.loop = loop
        self.came = came
    }

    /// Sends the signal only to this thread, because the process has other tests.
    func raiseWatched(_ signal: Int32) throws {
        let came = came
        watch = try SignalWatch([signal], on: loop) { came.put($0) }
        pthread_kill(pthread_self(), signal)
    }

    func raiseUnwatched(_ signal: Int32) {
        watch?.end()
        pthread_kill(pthread_self(), signal)
        came.put(-1)
    }
}
