import Glibc
package import Unix

/// The time at which a test stops waiting, so that a missing event fails the test.
///
/// A deadline is no performance limit: the default of a minute is for events that take milliseconds, with a margin for
/// a slow machine under load.
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

/// The error for an event that did not happen before the deadline.
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

/// Checks a condition every 2 ms until it is true, and suspends the task in between. For conditions without a descriptor
/// for poll(2), such as the state of another process or of an actor.
package func waitUntil(
    _ claim: String, _ deadline: Deadline = Deadline(), _ condition: () async throws -> Bool
) async throws {
    while true {
        if try await condition() { return }
        if deadline.isPast { throw DeadlinePassed(claim) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Sleeps for a random time, so that the next action (a kill, a full disk) interrupts another process at a random moment.
///
/// A test must not depend on the progress of the other process in that time.
package func sleepRandomly(upTo maximum: Duration, _ random: inout SplitMix64) {
    usleep(UInt32(random.int(in: 0..<Int(maximum / .microseconds(1)))))
}

/// A queue of values from callbacks on other threads. `take` blocks until a value is available.
package final class Mailbox<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])
    /// Counts the values, so that poll(2) can wait for one.
    private let arrivals: PipeEnds

    package init() throws(SystemError) {
        arrivals = try PipeEnds()
    }

    /// Adds a value. May be called on any thread.
    package func put(_ value: Value) {
        values.withLock { $0.append(value) }
        arrivals.signal()
    }

    /// Removes and returns the oldest value.
    package func take(_ claim: String = "a value was added", _ deadline: Deadline = Deadline()) throws -> Value {
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

/// A pipe that is used as a semaphore: `signal` writes a byte, and `consume` reads a byte.
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
