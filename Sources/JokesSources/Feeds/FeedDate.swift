import JokesCore

/// Returns a date in the form of RFC 3339, in the zone that it states, to the second; nil if it is not a date.
///
/// Reads RFC 3339, also without a time, and RFC 822 as RSS feeds write it: the weekday and the seconds are optional, years
/// may have two digits, and zones of North America may have names.
func rfc3339Date(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let text = text.trimmed
    return rfc3339Date(rfc3339: text) ?? rfc3339Date(rfc822: text)
}

private func rfc3339Date(rfc3339 text: String) -> String? {
    let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" || $0 == " " }
    let numbers = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard numbers.count == 3, numbers[0].utf8.count == 4,
        let date = date(year: digits(numbers[0], 4), month: digits(numbers[1], 2), day: digits(numbers[2], 2))
    else { return nil }
    guard parts.count == 2 else { return date.description }
    let zoneStart = parts[1].lastIndex { "Zz+-".contains($0) }
    guard let zoneStart, let zone = zone(parts[1][zoneStart...].filter { $0 != ":" }) else { return nil }
    let seconds = parts[1][..<zoneStart].split(separator: ".", omittingEmptySubsequences: false)
    guard seconds.count <= 2, seconds.dropFirst().allSatisfy({ digits($0, 1...) != nil }), let time = time(seconds[0])
    else { return nil }
    return "\(date)T\(time)\(zone)"
}

private func rfc3339Date(rfc822 text: String) -> String? {
    var parts = text.split(separator: " ")
    if let first = parts.first, first.last == "," || first.first?.isNumber == false { parts.removeFirst() }
    guard parts.count == 5 else { return nil }
    let (day, month, year, clock, zoneName) = (parts[0], parts[1], parts[2], parts[3], parts[4])
    // RFC 2822, 4.3: two digits up to 49 are of this century.
    let years = digits(year, 4) ?? digits(year, 2).map { $0 + ($0 < 50 ? 2000 : 1900) }
    guard let month = CivilDate.monthNames.firstIndex(where: { $0.lowercased() == month.prefix(3).lowercased() }),
        let date = date(year: years, month: month + 1, day: digits(day, 1...2)),
        let time = time(clock.split(separator: ":").count == 2 ? clock + ":00" : clock), let zone = zone(zoneName)
    else { return nil }
    return "\(date)T\(time)\(zone)"
}

private func date(year: Int?, month: Int?, day: Int?) -> CivilDate? {
    guard let year, year >= 1970, let month, let day else { return nil }
    return CivilDate(year: year, month: month, day: day)
}

/// Returns a time of day with seconds; nil if it is none.
private func time(_ text: some StringProtocol) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { digits($0, 1...2) ?? 99 }
    guard parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] <= 60 else { return nil }
    return parts.map(twoDigits).joined(separator: ":")
}

private let namedZones = [
    "Z": "Z", "UT": "Z", "UTC": "Z", "GMT": "Z", "EDT": "-04:00", "EST": "-05:00", "CDT": "-05:00", "CST": "-06:00",
    "MDT": "-06:00", "MST": "-07:00", "PDT": "-07:00", "PST": "-08:00",
]

/// Returns `Z` or `+01:00` for a name or `+0100`.
private func zone(_ text: some StringProtocol) -> String? {
    if let zone = namedZones[text.uppercased()] { return zone }
    guard text.utf8.count == 5, text.first == "+" || text.first == "-", let number = digits(text.dropFirst(), 4),
        number / 100 < 24, number % 100 < 60
    else { return nil }
    return "\(text.prefix(1))\(twoDigits(number / 100)):\(twoDigits(number % 100))"
}

private func digits(_ text: some StringProtocol, _ count: Int) -> Int? { digits(text, count...count) }

/// Returns the number that the text is, if the number of its digits is in the range.
private func digits(_ text: some StringProtocol, _ counts: some RangeExpression<Int>) -> Int? {
    guard counts.contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    // Only a fraction of a second is that long, and its number does not count.
    return text.utf8.count > 9 ? 0 : Int(text)
}
