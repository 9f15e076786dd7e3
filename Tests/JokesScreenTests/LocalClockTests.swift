import JokesCore
import Testing

@testable import JokesScreen

@Suite struct LocalClockTests {
    private let clock = LocalClock(now: noon, offset: 3600)

    @Test(
        "a time is as short as possible",
        arguments: [
            (0, "13:00"), (-13 * 3600 + 1, "00:00"), (-13 * 3600 - 1, "yesterday 23:59"), (-2 * 86_400, "12 Mar"),
            (-80 * 86_400, "24 Dec 2025"), (-745 * 86_400, "28 Feb 2024"), (-744 * 86_400, "29 Feb 2024"),
            (86_400, "tomorrow 13:00"), (2 * 86_400, "16 Mar"),
        ])
    func words(seconds: Int, expected: String) {
        #expect(clock.words(for: noon.advanced(by: .seconds(seconds))) == expected)
    }

    @Test("the time of day has seconds if they matter")
    func timeOfDay() {
        #expect(clock.timeOfDay(noon.advanced(by: .seconds(7))) == "13:00:07")
        #expect(LocalClock(now: noon, offset: -5 * 3600).timeOfDay(noon) == "07:00:00")
    }

    @Test("any time has a text", arguments: [Int64.min, -1, 0, Int64.max])
    func extremes(microseconds: Int64) {
        #expect(!clock.words(for: Timestamp(microseconds: microseconds)).isEmpty)
    }
}
