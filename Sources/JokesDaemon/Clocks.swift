import JokesCore
import Unix

extension Timestamp {
    /// The wall clock's reading.
    static var now: Timestamp {
        Timestamp(microseconds: wallClockMicroseconds())
    }
}

extension LocalClock {
    /// The wall clock and the time zone as they are now.
    static var now: LocalClock {
        let now = Timestamp.now
        return LocalClock(now: now, offset: localTimeOffset(at: now.microseconds / 1_000_000))
    }
}

extension Moment {
    /// The reading of both clocks.
    static var now: Moment {
        Moment(sinceBoot: BootInstant.now.sinceBoot, wall: .now)
    }
}
