import JokesCore
import Unix

extension Timestamp {
    /// The wall clock's reading.
    static var now: Timestamp {
        Timestamp(microseconds: wallClockMicroseconds())
    }
}

extension Moment {
    /// The reading of both clocks.
    static var now: Moment {
        Moment(sinceBoot: BootInstant.now.sinceBoot, wall: .now)
    }
}
