/// The time as a person there reads it, at one moment.
package struct LocalClock: Hashable, Sendable {
    package var now: Timestamp
    /// Seconds that local time is ahead of UTC.
    package var offset: Int

    package init(now: Timestamp, offset: Int) {
        self.now = now
        self.offset = offset
    }

    /// A moment in as few words as tell it: `14:32` today, `yesterday 14:32`, `tomorrow 14:32`, `3 Mar`, `3 Mar 2024`.
    ///
    /// Never relative to the present minute: such words would be wrong a minute later, or wake the machine to be right.
    package func words(for moment: Timestamp) -> String {
        let (then, today) = (civil(moment), civil(now))
        switch today.day - then.day {
        case 0: return then.time
        case 1: return "yesterday \(then.time)"
        case -1: return "tomorrow \(then.time)"
        default:
            let date = CivilDate(daysSince1970: then.day)
            let year = date.year == CivilDate(daysSince1970: today.day).year ? "" : " \(date.year)"
            return "\(date.day) \(monthNames[date.month - 1])\(year)"
        }
    }

    /// The time of day with seconds, `14:32:07`.
    package func timeOfDay(_ moment: Timestamp) -> String {
        let civil = civil(moment)
        return "\(civil.time):\(twoDigits(civil.second % 60))"
    }

    private struct Civil {
        /// Days since 1970.
        let day: Int
        /// Seconds since midnight.
        let second: Int

        var time: String {
            "\(twoDigits(second / 3600)):\(twoDigits(second / 60 % 60))"
        }
    }

    private func civil(_ moment: Timestamp) -> Civil {
        let seconds = Int(moment.microseconds / 1_000_000) + offset
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        return Civil(day: day, second: seconds - day * 86_400)
    }
}

/// A date of the Gregorian calendar.
private struct CivilDate {
    let year: Int
    let month: Int
    let day: Int

    /// By eras of 400 years that begin in March, so that leap days come last.
    init(daysSince1970: Int) {
        let days = daysSince1970 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

private let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

private func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
}
