/// A time of the wall clock: microseconds since 1970, UTC.
///
/// Schedules do not use it; see `SyncPlanner`.
package struct Timestamp: Hashable, Comparable, Sendable {
    package let microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }

    /// Returns a later time, limited to the range of the type.
    package func advanced(by duration: Duration) -> Timestamp {
        Timestamp(microseconds: Int64(clamping: Int128(microseconds) + Int128(duration.wholeMicroseconds)))
    }

    /// Returns the time since an earlier time; negative if it is later.
    package func timeSince(_ other: Timestamp) -> Duration {
        .microseconds(microseconds) - .microseconds(other.microseconds)
    }
}

/// A number of microseconds. For an encoder whose `userInfo` has `asText`, text in RFC 3339 with whole seconds, because jq does
/// not read fractions.
extension Timestamp: Codable {
    package static let asText = CodingUserInfoKey(rawValue: "org.jokesd.timesAsText")!

    package init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder.userInfo[Self.asText] == nil {
            try container.encode(microseconds)
        } else {
            let seconds = Duration.microseconds(microseconds).components.seconds
            try container.encode(Timestamp(microseconds: seconds * 1_000_000).description)
        }
    }
}

extension Duration {
    /// Whole microseconds, rounded toward zero and limited to the range of the type.
    package var wholeMicroseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000) }
}

extension Timestamp: CustomStringConvertible {
    /// From the beginning of 1970 to the end of 9999.
    package static let inFourDigitYears =
        Timestamp(microseconds: 0)...Timestamp(microseconds: 253_402_300_799_999_999)

    /// The exact time in RFC 3339, in UTC: `2026-02-28T09:30:00Z`, `2026-02-28T09:30:00.000125Z`.
    ///
    /// Times outside `inFourDigitYears` are limited to this range.
    package var description: String {
        let time = min(max(self, Self.inFourDigitYears.lowerBound), Self.inFourDigitYears.upperBound)
        let (days, second) = time.civil()
        let fraction = String(time.microseconds % 1_000_000 + 1_000_000).dropFirst()
        return "\(CivilDate(daysSince1970: days))T\(clockTime(second))\(fraction == "000000" ? "" : ".\(fraction)")Z"
    }

    /// Reads a time of RFC 3339 in any zone; nil if it is none, or outside `inFourDigitYears`.
    ///
    /// Fractions of a microsecond are dropped. A leap second counts as the second before it.
    package init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.count <= 64, let year = readNumber(4, from: &rest), skip("-", from: &rest),
            let month = readNumber(2, from: &rest), skip("-", from: &rest), let day = readNumber(2, from: &rest),
            skip("T", from: &rest) || skip("t", from: &rest), let hour = readNumber(2, from: &rest),
            skip(":", from: &rest), let minute = readNumber(2, from: &rest), skip(":", from: &rest),
            let second = readNumber(2, from: &rest), hour < 24, minute < 60, second <= 60,
            let fraction = readFraction(from: &rest), let offset = readZone(from: &rest), rest.isEmpty,
            let days = CivilDate(year: year, month: month, day: day)?.daysSince1970
        else { return nil }
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
        self.init(microseconds: Int64(seconds * 1_000_000 + fraction))
        guard Self.inFourDigitYears.contains(self) else { return nil }
    }
}

private func skip(_ mark: Unicode.Scalar, from text: inout ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: mark) else { return false }
    text.removeFirst()
    return true
}

private func readNumber(_ count: Int, from text: inout ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    text.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// Reads microseconds; 0 without a decimal point.
private func readFraction(from text: inout ArraySlice<UInt8>) -> Int? {
    guard skip(".", from: &text) else { return 0 }
    let digits = text.prefix(while: \.isASCIIDigit)
    text.removeFirst(digits.count)
    let padded = digits.prefix(6) + repeatElement(0x30, count: max(0, 6 - digits.count))
    return digits.isEmpty ? nil : padded.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// Reads the offset from UTC in seconds.
private func readZone(from text: inout ArraySlice<UInt8>) -> Int? {
    if skip("Z", from: &text) || skip("z", from: &text) { return 0 }
    let isWest = text.first == UInt8(ascii: "-")
    guard skip("+", from: &text) || skip("-", from: &text), let hours = readNumber(2, from: &text),
        skip(":", from: &text), let minutes = readNumber(2, from: &text), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
}
