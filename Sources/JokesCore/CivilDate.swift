/// A day of the Gregorian calendar.
package struct CivilDate: Hashable, Sendable, CustomStringConvertible {
    package let year: Int
    /// From 1 to 12.
    package let month: Int
    /// From 1 to 31.
    package let day: Int

    // Years begin in March, so that the leap day is the last day of a year. The calendar repeats after 400 years.
    private static let daysIn400Years = 146_097
    /// The days from March 1 of the year 0 to January 1, 1970.
    private static let daysBefore1970 = 719_468

    /// In English, with three letters.
    package static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    package init(daysSince1970: Int) {
        let days = daysSince1970 + Self.daysBefore1970
        let cycle = (days >= 0 ? days : days - Self.daysIn400Years + 1) / Self.daysIn400Years
        let dayOfCycle = days - cycle * Self.daysIn400Years
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// Returns nil if there is no such day, or if the year is not from 1 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        // February 30 has the same number as March 1 or 2.
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    package var daysSince1970: Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - Self.daysBefore1970
    }

    /// `2026-02-28`, for years from 1000 to 9999.
    package var description: String {
        "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    }
}

extension Timestamp {
    /// Returns the day and the seconds since midnight at an offset from UTC in seconds.
    func civil(secondsAhead offset: Int = 0) -> (daysSince1970: Int, second: Int) {
        let seconds = Int(microseconds / 1_000_000) + offset
        let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        return second < 0 ? (day - 1, second + 86_400) : (day, second)
    }
}

/// Returns the time of day for seconds since midnight: `14:32:07`.
func clockTime(_ second: Int) -> String {
    [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
}

/// A number from 0 to 99 with two digits.
package func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
}
