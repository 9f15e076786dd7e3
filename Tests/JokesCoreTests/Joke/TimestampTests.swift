import JokesCore
import Testing

@Suite("Timestamp")
struct TimestampTests {
    @Test("goes forward and back by the same time")
    func advance() {
        let start = Timestamp(microseconds: 1_760_000_000_123_456)
        for duration: Duration in [.zero, .microseconds(1), .seconds(-86_400 * 366), .milliseconds(1500)] {
            #expect(start.advanced(by: duration).timeSince(start) == duration)
        }
    }

    @Test("stays at the ends of its range instead of passing them")
    func ends() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(first.advanced(by: .seconds(-1)) == first)
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.max)) == last)
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.min)) == first)
        #expect(last.timeSince(first) == .microseconds(Int64.max) - .microseconds(Int64.min))
        #expect(first < last)
    }
}
