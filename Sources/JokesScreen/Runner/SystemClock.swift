import JokesCore
import Unix

extension LocalClock {
    /// The wall clock and the time zone as they are now.
    static func read() -> LocalClock {
        let now = Timestamp(microseconds: wallClockMicroseconds())
        return LocalClock(now: now, offset: localTimeOffset(at: now.microseconds / 1_000_000))
    }
}
