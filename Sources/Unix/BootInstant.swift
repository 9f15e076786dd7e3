import CLinux
import Glibc

/// A point on the boot-time clock, which counts through suspend and which nobody can set.
package struct BootInstant: Comparable, Hashable, Sendable, InstantProtocol {
    /// Time since the machine booted.
    package let sinceBoot: Duration

    package init(sinceBoot: Duration) {
        self.sinceBoot = sinceBoot
    }

    /// The clock's reading, CLOCK_BOOTTIME.
    package static var now: BootInstant {
        BootInstant(sinceBoot: reading(of: CLOCK_BOOTTIME))
    }

    /// Microseconds on CLOCK_MONOTONIC, which is what systemd's protocols speak of.
    static var monotonicMicroseconds: Int64 {
        let parts = reading(of: CLOCK_MONOTONIC).components
        return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    }

    package func advanced(by duration: Duration) -> BootInstant {
        BootInstant(sinceBoot: sinceBoot + duration)
    }

    package func duration(to other: BootInstant) -> Duration {
        other.sinceBoot - sinceBoot
    }

    package static func < (a: BootInstant, b: BootInstant) -> Bool {
        a.sinceBoot < b.sinceBoot
    }
}

/// Microseconds since 1970 by the wall clock, which people set and which may jump.
package func wallClockMicroseconds() -> Int64 {
    let parts = reading(of: CLOCK_REALTIME).components
    return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
}

/// Seconds that local time is ahead of UTC at a time, in seconds since 1970; 0 where the system does not know.
package func localTimeOffset(at seconds: Int64) -> Int {
    var time = time_t(seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
}

private func reading(of clock: clockid_t) -> Duration {
    var time = timespec()
    // Cannot fail: both clocks exist on every kernel that Swift supports, and the pointer is valid.
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Whether something keeps the wall clock in step, as the kernel was told; nil where it does not say.
package func isClockSynchronized() -> Bool? {
    let answer = linux_clock_is_synchronized()
    return answer < 0 ? nil : answer == 1
}
