/// A time with the time zone of the user.
package struct LocalClock: Hashable, Sendable {
    package var now: Timestamp
    /// Seconds that local time is ahead of UTC.
    package var offset: Int

    package init(now: Timestamp, offset: Int) {
        (self.now, self.offset) = (now, offset)
    }

    /// Returns a time in words: `14:32` today, `yesterday 14:32`, `tomorrow 14:32`, `3 Mar`, `3 Mar 2024`. These words stay
    /// true for minutes.
    package func words(for moment: Timestamp) -> String {
        let today = now.civil(secondsAhead: offset).daysSince1970
        let (day, second) = moment.civil(secondsAhead: offset)
        let time = clockTime(second).prefix(5)
        switch today - day {
        case 0: return String(time)
        case 1: return "yesterday \(time)"
        case -1: return "tomorrow \(time)"
        default:
            let date = CivilDate(daysSince1970: day)
            let year = date.year == CivilDate(daysSince1970: today).year ? "" : " \(date.year)"
            return "\(date.day) \(CivilDate.monthNames[date.month - 1])\(year)"
        }
    }

    /// The date in this time zone.
    package var date: CivilDate { CivilDate(daysSince1970: now.civil(secondsAhead: offset).daysSince1970) }

    /// Returns the time of day with seconds: `14:32:07`.
    package func timeOfDay(_ moment: Timestamp) -> String {
        clockTime(moment.civil(secondsAhead: offset).second)
    }
}
