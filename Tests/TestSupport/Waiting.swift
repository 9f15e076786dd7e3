import Glibc
package import Unix

/// The moment at which a test stops waiting.
///
/// The deadline detects a test that hangs. It is no claim about speed: the default of a minute is for events that take
/// milliseconds, with a large margin for a slow machine under load.
package struct Deadline: Sendable {
    private let instant: BootInstant

    package init(after duration: Duration = .seconds(60)) {
        instant = BootInstant.now.advanced(by: duration)
    }

    package var isPast: Bool {
        BootInstant.now >= instant
    }

    /// The remaining time in milliseconds, rounded up, for poll(2).
    package var milliseconds: Int32 {
        let left = BootInstant.now.duration(to: instant)
        guard left > .zero else { return 0 }
        let parts = left.components
        return Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000 + 1)
    }
}

/// A deadline passed before the expected event.
package struct DeadlinePassed: Error, CustomStringConvertible {
    /// The expected event.
    package let claim: String

    package init(_ claim: String) {
        self.claim = claim
    }

    package var description: String {
        "Timed out waiting until \(claim)."
    }
}

/// Waits with poll(2) until a descriptor is ready for one of the events.
package func waitUntil(
    _ descriptor: Int32, isReadyFor events: Int32 = POLLIN, _ deadline: Deadline = Deadline()
) throws {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let count = try retrying("poll") { poll(&entry, 1, deadline.milliseconds) }
    if count == 0 { throw DeadlinePassed("descriptor \(descriptor) was ready") }
}

/// Waits until a condition holds that no event announces (about another process, the kernel's tables, an actor). It
/// checks every 2 ms and suspends the task in between.
package func waitUntil(
    _ claim: String, _ deadline: Deadline = Deadline(), _ condition: () async throws -> Bool
) async throws {
    while true {
        if try await condition() { return }
        if deadline.isPast { throw DeadlinePassed(claim) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Sleeps for a random time, so that the next action (a kill, a full disk) happens at any moment of another process's
/// work, also between two events that a test could wait for.
///
/// A test must not depend on the work that was done in that time.
package func passTime(upTo longest: Duration, _ random: inout SplitMix64) {
    usleep(UInt32(random.int(in: 0..<Int(longest / .microseconds(1)))))
}

/// A queue of values that callbacks on other threads put and a test takes. `take` blocks until a value is available.
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

    /// Removes and returns the oldest value.
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

    /// Removes and returns all values, without waiting.
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
