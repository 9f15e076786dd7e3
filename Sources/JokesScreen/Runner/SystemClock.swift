import Glibc
import JokesCore
import Unix

extension LocalClock {
    /// The wall clock and the time zone as they are now.
    static func read() -> LocalClock {
        let now = Timestamp(microseconds: wallClockMicroseconds())
        var seconds = time_t(now.microseconds / 1_000_000)
        var parts = tm()
        let isKnown = localtime_r(&seconds, &parts) != nil
        return LocalClock(now: now, offset: isKnown ? parts.tm_gmtoff : 0)
    }
}
