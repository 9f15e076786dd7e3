/// A moment by the wall clock, for people and for the store: microseconds since 1970, UTC.
///
/// Schedules do not run on it; see `SyncPlanner`.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.microseconds < b.microseconds
    }

    /// The moment that much later, at the ends of the range where it would pass them.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(duration.wholeMicroseconds)
        return Timestamp(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from an earlier moment to this one; negative where that one is later.
    package func timeSince(_ other: Timestamp) -> Duration {
        .microseconds(microseconds) - .microseconds(other.microseconds)
    }
}

extension Duration {
    /// Whole microseconds, toward zero, at the ends of the range where it would pass them.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, passed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return passed ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Timestamp: CustomStringConvertible {
    /// From the beginning of 1970 to the end of 9999.
    package static let inFourDigitYears =
        Timestamp(microseconds: 0)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// As RFC 3339 has it, in UTC and exact: `2026-02-28T09:30:00Z`, `2026-02-28T09:30:00.000125Z`.
    ///
    /// Times outside `inFourDigitYears` have no such form; they come out as its nearest end.
    package var description: String {
        let time = min(max(self, Self.inFourDigitYears.lowerBound), Self.inFourDigitYears.upperBound)
        let (days, second) = time.civil()
        let fraction = String(time.microseconds % 1_000_000 + 1_000_000).dropFirst()
        return "\(CivilDate(daysSince1970: days))T\(clockTime(second))\(fraction == "000000" ? "" : ".\(fraction)")Z"
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
            let fraction = takeFraction(from: &rest), let offset = takeZone(from: &rest), rest.isEmpty,
            let days = CivilDate(year: year, month: month, day: day)?.daysSince1970
        else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
        self.init(microseconds: Int64(seconds * 1_000_000 + fraction))
        guard Self.inFourDigitYears.contains(self) else { return nil }
    }
}

// MARK: Reading

private func take(_ mark: Unicode.Scalar, from text: inout ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: mark) else { return false }
    text.removeFirst()
    return true
}

private func takeNumber(_ count: Int, from text: inout ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    text.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// Microseconds; none where no point follows.
private func takeFraction(from text: inout ArraySlice<UInt8>) -> Int? {
    guard take(".", from: &text) else { return 0 }
    let digits = text.prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty else { return nil }
    text.removeFirst(digits.count)
    return (Array(digits.prefix(6)) + Array(repeating: 0x30, count: max(0, 6 - digits.count)))
        .reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// Seconds east of Greenwich.
private func takeZone(from text: inout ArraySlice<UInt8>) -> Int? {
    if take("Z", from: &text) || take("z", from: &text) { return 0 }
    let isWest = text.first == UInt8(ascii: "-")
    guard take("+", from: &text) || take("-", from: &text), let hours = takeNumber(2, from: &text),
        take(":", from: &text), let minutes = takeNumber(2, from: &text), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
}
