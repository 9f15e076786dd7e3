import JokesCore
import TestSupport
import Testing

@Suite("Timestamp")
struct TimestampTests {
    @Test("advances and returns by the same duration")
    func advance() {
        let start = Timestamp(microseconds: 1_760_000_000_123_456)
        for duration: Duration in [.zero, .microseconds(1), .seconds(-86_400 * 366), .milliseconds(1500)] {
            #expect(start.advanced(by: duration).timeSince(start) == duration)
        }
    }

    @Test("is limited to its range")
    func ends() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(first.advanced(by: .seconds(-1)) == first)
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.max)) == last)
        #expect(Timestamp(microseconds: 0).advanced(by: .seconds(Int64.min)) == first)
        #expect(last.timeSince(first) == .microseconds(Int64.max) - .microseconds(Int64.min))
        #expect(first < last)
    }

    @Test(
        "is written as RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00Z"), (1_709_251_199_999_999, "2024-02-29T23:59:59.999999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00Z"), (253_402_300_799_000_000, "9999-12-31T23:59:59Z"),
        ])
    func rfc3339(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
        #expect(Timestamp(text)?.microseconds == microseconds)
    }

    @Test("is read as it was written in the years 1970 to 9999, and the texts sort by time")
    func rfc3339RoundTrip() throws {
        let last = Timestamp.inFourDigitYears.upperBound.microseconds
        try checkProperty(
            "RFC 3339", cases: 5000,
            generate: { random, _ in
                (Int64.random(in: 0...last, using: &random), Int64.random(in: 0...last, using: &random))
            }
        ) { one, other in
            let (one, other) = (Timestamp(microseconds: one), Timestamp(microseconds: other))
            try verify(Timestamp(one.description) == one, one.description)
            let seconds = { (time: Timestamp) in String(time.description.prefix(19)) }
            try verify(one < other || seconds(one) >= seconds(other), "\(one) and \(other)")
        }
    }

    @Test("is read with zones, fractions and leap seconds, and invalid times are refused")
    func rfc3339Forms() {
        let time = Timestamp(microseconds: 1_772_271_000_000_000)
        for text in [
            "2026-02-28T09:30:00Z", "2026-02-28t09:30:00z", "2026-02-28T10:30:00+01:00", "2026-02-28T04:00:00-05:30",
        ] {
            #expect(Timestamp(text) == time, "\(text)")
        }
        #expect(Timestamp("2026-02-28T09:30:00.5Z")?.microseconds == time.microseconds + 500_000)
        #expect(Timestamp("2026-02-28T09:30:00.1234567Z")?.microseconds == time.microseconds + 123_456)
        #expect(Timestamp("2016-12-31T23:59:60Z") == Timestamp("2016-12-31T23:59:59Z"))
        for text in [
            "", "2026", "2026-02-28", "2026-02-28T09:30Z", "2026-02-28T09:30:00", "2026-02-29T09:30:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-02-28T24:00:00Z",
            "2026-02-28T09:60:00Z",
            "2026-02-28T09:30:61Z", "2026-02-28T09:30:00.Z", "2026-02-28T09:30:00+0100", "2026-02-28T09:30:00ZZ",
            "1969-12-31T23:59:59Z",
            "1970-01-01T00:00:00+00:01", "-026-02-28T09:30:00Z", "２026-02-28T09:30:00Z", "0000-00-00T00:00:00Z",
        ] {
            #expect(Timestamp(text) == nil, "\(text)")
        }
    }
}
