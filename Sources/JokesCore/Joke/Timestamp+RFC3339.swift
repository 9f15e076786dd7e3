extension Timestamp: CustomStringConvertible {
    /// From the beginning of 1970 to the end of 9999.
    package static let inFourDigitYears =
        Timestamp(microseconds: 0)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// As RFC 3339 has it, in UTC and exact: `2026-02-28T09:30:00Z`, `2026-02-28T09:30:00.000125Z`.
    ///
    /// Times outside `inFourDigitYears` have no such form; they come out as its nearest end.
    package var description: String {
        let time = min(max(self, Self.inFourDigitYears.lowerBound), Self.inFourDigitYears.upperBound)
        let (seconds, fraction) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civilDate(daysSince1970: days)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        let clock = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(date)T\(clock)\(fraction == 0 ? "" : ".\(padded(fraction, 6))")Z"
    }

    /// Reads a time of RFC 3339, in any zone; nil where it is none, or outside `inFourDigitYears`.
    ///
    /// What is finer than a microsecond is cut off; a leap second counts as the one before it.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.count <= 64, let year = takeNumber(4, from: &rest), take("-", from: &rest),
            let month = takeNumber(2, from: &rest), take("-", from: &rest), let day = takeNumber(2, from: &rest),
            take("T", from: &rest) || take("t", from: &rest), let hour = takeNumber(2, from: &rest),
            take(":", from: &rest), let minute = takeNumber(2, from: &rest), take(":", from: &rest),
            let second = takeNumber(2, from: &rest), hour < 24, minute < 60, second <= 60,
            let fraction = takeFraction(from: &rest), let offset = takeZone(from: &rest), rest.isEmpty
        else { return nil }
        let days = days(to: (year, month, day))
        // A day that is not there comes back as another one.
        guard civilDate(daysSince1970: days) == (year, month, day) else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
        self.init(microseconds: seconds * 1_000_000 + fraction)
        guard Self.inFourDigitYears.contains(self) else { return nil }
    }
}

// Days and dates of the Gregorian calendar, counted in years that begin in March: the day that comes and goes is their
// last. An era is 400 years, after which all of it comes again.

private let daysInEra: Int64 = 146_097
/// From the first of March of the year 0 to the first of January 1970.
private let daysBefore1970: Int64 = 719_468

private func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = daysSince1970 + daysBefore1970
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: daysInEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
}

private func days(to date: (year: Int64, month: Int64, day: Int64)) -> Int64 {
    let year = date.month <= 2 ? date.year - 1 : date.year
    let (era, yearOfEra) = max(0, year).quotientAndRemainder(dividingBy: 400)
    let monthFromMarch = date.month > 2 ? date.month - 3 : date.month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + date.day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysInEra + dayOfEra - daysBefore1970
}

private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

// MARK: Reading

private func take(_ mark: Unicode.Scalar, from text: inout ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: mark) else { return false }
    text.removeFirst()
    return true
}

private func takeNumber(_ count: Int, from text: inout ArraySlice<UInt8>) -> Int64? {
    let digits = text.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    text.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
}

/// Microseconds; none where no point follows.
private func takeFraction(from text: inout ArraySlice<UInt8>) -> Int64? {
    guard take(".", from: &text) else { return 0 }
    let digits = text.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    text.removeFirst(digits.count)
    return (Array(digits.prefix(6)) + Array(repeating: 0x30, count: max(0, 6 - digits.count)))
        .reduce(0) { $0 * 10 + Int64($1 - 0x30) }
}

/// Seconds east of Greenwich.
private func takeZone(from text: inout ArraySlice<UInt8>) -> Int64? {
    if take("Z", from: &text) || take("z", from: &text) { return 0 }
    let isWest = text.first == UInt8(ascii: "-")
    guard take("+", from: &text) || take("-", from: &text), let hours = takeNumber(2, from: &text),
        take(":", from: &text), let minutes = takeNumber(2, from: &text), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
}
