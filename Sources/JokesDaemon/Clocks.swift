import JokesCore
import Unix

extension Timestamp {
    /// The time of the wall clock.
    static var now: Timestamp {
        Timestamp(microseconds: wallClockMicroseconds())
    }
}

extension LocalClock {
    /// The current time and time zone.
    static var now: LocalClock {
        let now = Timestamp.now
        return LocalClock(now: now, offset: localTimeOffset(at: now.microseconds / 1_000_000))
    }
}

extension Moment {
    /// The time of both clocks.
    static var now: Moment {
        Moment(sinceBoot: BootInstant.now.sinceBoot, wall: .now)
    }
}
