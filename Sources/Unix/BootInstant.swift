import CLinux
import Glibc

/// A time on the boot-time clock, which includes suspension and cannot be set.
package struct BootInstant: Comparable, Hashable, Sendable, InstantProtocol {
    /// The time since the machine was booted.
    package let sinceBoot: Duration

    package init(sinceBoot: Duration) { self.sinceBoot = sinceBoot }

    /// The current time of CLOCK_BOOTTIME.
    package static var now: BootInstant { BootInstant(sinceBoot: reading(of: CLOCK_BOOTTIME)) }

    /// Returns microseconds of CLOCK_MONOTONIC, for the protocols of systemd.
    static var monotonicMicroseconds: Int64 { reading(of: CLOCK_MONOTONIC).microseconds }

    /// Returns a later or earlier time, by at most 30,000 years.
    package func advanced(by duration: Duration) -> BootInstant {
        BootInstant(sinceBoot: sinceBoot + duration.bounded)
    }

    package func duration(to other: BootInstant) -> Duration { other.sinceBoot - sinceBoot }

    package static func < (a: BootInstant, b: BootInstant) -> Bool { a.sinceBoot < b.sinceBoot }
}

/// Returns microseconds since 1970 of the wall clock, which can be set.
package func wallClockMicroseconds() -> Int64 { reading(of: CLOCK_REALTIME).microseconds }

extension Duration {
    /// The duration with at most 30,000 years, so that its sums and its microseconds do not overflow.
    fileprivate var bounded: Duration { max(.seconds(-(1 << 40)), min(self, .seconds(1 << 40))) }

    /// The whole microseconds of the bounded duration.
    var microseconds: Int64 {
        let parts = bounded.components
        return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
    }
}

/// Returns the seconds by which local time is ahead of UTC at a time in seconds since 1970; 0 if it is unknown.
package func localTimeOffset(at seconds: Int64) -> Int {
    var time = time_t(seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
}

private func reading(of clock: clockid_t) -> Duration {
    var time = timespec()
    // Cannot fail: these clocks exist on every kernel that Swift supports.
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Returns whether the kernel knows the wall clock as synchronized; nil if it does not say.
package func isClockSynchronized() -> Bool? {
    let answer = linux_clock_is_synchronized()
    return answer < 0 ? nil : answer == 1
}
