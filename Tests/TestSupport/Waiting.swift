import Glibc
package import Unix

/// The moment at which a test gives up waiting.
///
/// It tells a test that hangs from one that waits, and claims nothing of how fast anything is: the default of a minute is
/// for what takes milliseconds, and far beyond what a slow machine under load makes of them.
package struct Deadline: Sendable {
    private let instant: BootInstant

    package init(after duration: Duration = .seconds(60)) {
        instant = BootInstant.now.advanced(by: duration)
    }

    package var isPast: Bool {
        BootInstant.now >= instant
    }

    /// What is left, in the milliseconds that poll(2) takes, rounded up.
    package var milliseconds: Int32 {
        let left = BootInstant.now.duration(to: instant)
        guard left > .zero else { return 0 }
        let parts = left.components
        return Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000 + 1)
    }
}

/// What a test waited for did not come before its deadline.
package struct DeadlinePassed: Error, CustomStringConvertible {
    /// What was waited for.
    package let claim: String

    package init(_ claim: String) {
        self.claim = claim
    }

    package var description: String {
        "Waited in vain until \(claim)."
    }
}

/// Waits until a descriptor is ready for one of the events, by poll(2).
package func waitUntil(
    _ descriptor: Int32, isReadyFor events: Int32 = POLLIN, _ deadline: Deadline = Deadline()
) throws {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let count = try retrying("poll") { poll(&entry, 1, deadline.milliseconds) }
    if count == 0 { throw DeadlinePassed("descriptor \(descriptor) was ready") }
}

/// Waits until a condition holds that no event announces (another process, the kernel's tables, an actor): looks every
/// 2 ms, and meanwhile leaves the thread to what is waited for.
package func waitUntil(
    _ claim: String, _ deadline: Deadline = Deadline(), _ condition: () async throws -> Bool
) async throws {
    while true {
        if try await condition() { return }
        if deadline.isPast { throw DeadlinePassed(claim) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Lets a time pass that is drawn anew each time, so that what comes next (a kill, a disk that fills up) falls at any
/// moment of what another process is doing, also between two events that could be waited for.
///
/// No test may depend on what has happened meanwhile: it holds whatever that was.
package func passTime(upTo longest: Duration, _ random: inout SplitMix64) {
    usleep(UInt32(random.int(in: 0..<Int(longest / .microseconds(1)))))
}

/// Values that callbacks on other threads put and a test takes in the same order, blocking until one is there.
package final class Mailbox<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])
    /// Counts the values, so that poll(2) can wait for one.
    private let arrivals: PipeEnds

    package init() throws(SystemError) {
        arrivals = try PipeEnds()
    }

    /// Callable from any thread.
    package func put(_ value: Value) {
        values.withLock { $0.append(value) }
        arrivals.signal()
    }

    /// The oldest value not yet taken.
    package func take(_ claim: String = "a value came", _ deadline: Deadline = Deadline()) throws -> Value {
        while true {
            if let value = values.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                arrivals.consume()
                return value
            }
            do {
                try waitUntil(arrivals.reading, isReadyFor: POLLIN, deadline)
            } catch is DeadlinePassed {
                throw DeadlinePassed(claim)
            }
        }
    }

    /// Everything that was put and not yet taken, without waiting.
    package func takeAll() -> [Value] {
        values.withLock { values in
            defer { values = [] }
            for _ in values { arrivals.consume() }
            return values
        }
    }
}

/// A pipe used as a counter.
private final class PipeEnds: Sendable {
    let reading: Int32
    private let writing: Int32

    init() throws(SystemError) {
        (reading, writing) = try makePipe()
    }

    deinit {
        close(reading)
        close(writing)
    }

    func signal() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    func consume() {
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
    }
}
