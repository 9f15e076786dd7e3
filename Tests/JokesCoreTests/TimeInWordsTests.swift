import JokesCore
import Testing

@Suite struct TimeInWordsTests {
    private let now = Timestamp(microseconds: 1_000_000_000_000_000)

    @Test(
        "a duration is rounded to the nearest unit, and a few hours or days to the nearest half",
        arguments: [
            (0, "0 seconds"), (0.49, "0 seconds"), (0.5, "1 second"), (89, "89 seconds"), (89.5, "2 minutes"),
            (149, "2 minutes"), (150, "3 minutes"), (89 * 60, "89 minutes"), (90 * 60, "1.5 hours"),
            (2 * 3600 - 1, "2 hours"), (6 * 3600 + 14 * 60, "6 hours"), (6 * 3600 + 15 * 60, "6.5 hours"),
            (6.5 * 3600, "6.5 hours"), (6 * 3600 + 44 * 60, "6.5 hours"), (6 * 3600 + 45 * 60, "7 hours"),
            (9.5 * 3600, "9.5 hours"), (9.76 * 3600, "10 hours"), (10.5 * 3600, "11 hours"), (35.4 * 3600, "35 hours"),
            (36 * 3600, "1.5 days"), (2 * 86_400, "2 days"), (12.4 * 86_400, "12 days"),
        ] as [(Double, String)])
    func lengths(seconds: Double, words: String) {
        let length = Duration.microseconds(Int64(seconds * 1_000_000))
        #expect(TimeInWords.length(length) == words)
        if seconds >= 45 { #expect(TimeInWords.ago(now.advanced(by: .zero - length), now: now) == "\(words) ago") }
        if seconds >= 1 { #expect(TimeInWords.until(now.advanced(by: length), now: now) == "in \(words)") }
    }

    @Test("the error of rounding is at most half a unit, or a quarter of a few hours and days")
    func errors() throws {
        for seconds in stride(from: Int64(0), to: 40 * 86_400, by: 97) {
            let words = TimeInWords.length(.seconds(seconds)).split(separator: " ")
            let number = try #require(Double(words[0]))
            let unit = try #require(
                [("sec", 1.0), ("min", 60), ("hou", 3600), ("day", 86_400)].first { words[1].hasPrefix($0.0) }?.1)
            let error = abs(number * unit - Double(seconds))
            #expect(error <= unit / (unit >= 3600 && number < 10 ? 4 : 2), "\(seconds)")
        }
    }
}
