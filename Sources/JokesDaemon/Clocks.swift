import JokesCore
import Unix

extension Timestamp {
    static var now: Timestamp { Timestamp(microseconds: wallClockMicroseconds()) }
}

extension LocalClock {
    static var now: LocalClock {
        let now = Timestamp.now
        return LocalClock(now: now, offset: localTimeOffset(at: now.microseconds / 1_000_000))
    }
}

extension Moment {
    static var now: Moment { Moment(sinceBoot: BootInstant.now.sinceBoot, wall: .now) }
}
