import JokesCore

/// Returns a date in the form of RFC 3339, to the second, in the zone that it states; nil if it is not a date.
///
/// Reads the forms of RFC 822, RFC 850, asctime, JavaScript and ISO 8601, with month names in seven languages. A time
/// without a zone is in UTC. A date without a time, or with an ambiguous zone such as IST, becomes a day without a time.
/// An impossible date, an unknown zone, and numbers whose order can vary are no date.
package func rfc3339Date(_ text: String) -> String? {
    guard text.utf8.count <= 128 else { return nil }
    var text = String(text.lowercased().map { $0.isWhitespace || $0 == "," ? " " : $0 })
    if let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end {
        text.removeSubrange(start...end)
    }
    // The time is around the first colon, and the zone after it.
    guard let colon = text.firstIndex(of: ":") else { return day(dayWords(text[...]))?.description }
    let start = text[..<colon].lastIndex { !$0.isDigit }.map { text.index(after: $0) } ?? text.startIndex
    let time = text[start...].prefix { $0.isDigit || ":.".contains($0) }
    var zone = text[time.endIndex...].replacing("+", with: " +").replacing("-", with: " -").split(separator: " ")
    let half = zone.first == "am" || zone.first == "pm" ? zone.removeFirst() : nil
    var words = dayWords(text[..<start])
    // `Sat Sep 7 10:00:01 UTC 2002`
    if words.count == 2, let year = zone.firstIndex(where: { $0.allSatisfy(\.isDigit) }) {
        words.append(zone.remove(at: year))
    }
    guard let day = day(words), let clock = clock(time, half: half), let offset = offset(zone) else { return nil }
    return offset.isEmpty ? "\(day)" : "\(day)T\(clock)\(offset)"
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isNumber }
}

// MARK: Days

/// Returns the words of a day without the weekday, and numbers without the ending in `7th` and `07T`.
private func dayWords(_ text: Substring) -> [Substring] {
    var words = text.split { " -/.".contains($0) }.filter { !["de", "del", "of", "at"].contains($0) }
    // The first word is a weekday in any language. In some of them, Tuesday begins as March.
    let months = words.count { monthNumber($0) != nil }
    if let first = words.first, first.first!.isLetter, months > 1 || monthNumber(first) == nil { words.removeFirst() }
    return words.map { word in
        let number = word.prefix(while: \.isDigit)
        return ["st", "nd", "rd", "th", "er", "t", "z"].contains(word[number.endIndex...]) ? number : word
    }
}

private func day(_ words: [Substring]) -> CivilDate? {
    var words = words
    guard words.count == 3 else { return nil }
    // The order becomes year, month and day.
    if monthNumber(words[0]) != nil { words.swapAt(0, 1) }
    let namedMonth = monthNumber(words[1])
    if namedMonth != nil, words[0].count < 4 { words.swapAt(0, 2) }
    guard namedMonth != nil || words[0].count == 4, var year = Int(words[0]),
        let month = namedMonth ?? Int(words[1]), let day = Int(words[2])
    else { return nil }
    // RFC 2822, 4.3: two digits up to 49 are of this century.
    if words[0].count == 2 { year += year < 50 ? 2000 : 1900 }
    return (1970..<9999).contains(year) ? CivilDate(year: year, month: month, day: day) : nil
}

/// Returns the number of a month, from 1 to 12, from its name or the first letters of it.
private func monthNumber(_ word: Substring) -> Int? {
    months.firstIndex { names in names.contains { word.hasPrefix($0) } }.map { $0 + 1 }
}

/// In English, German, French, Spanish, Italian, Portuguese and Dutch.
private let months = [
    ["jan", "jän", "ene", "gen"], ["feb", "fév", "fev"], ["mar", "mär", "mrz", "maart", "mrt"], ["apr", "avr", "abr"],
    ["may", "mai", "mag", "mei"], ["jun", "juin", "giu"], ["jul", "juil", "lug"], ["aug", "aoû", "aou", "ago"],
    ["sep", "set"], ["oct", "okt", "ott", "out"], ["nov"], ["dec", "déc", "dez", "dic"],
]

// MARK: Times and zones

private func clock(_ text: Substring, half: Substring?) -> String? {
    let parts = text.prefix { $0 != "." }.split(separator: ":", omittingEmptySubsequences: false)
    var time = parts.map { Int($0) ?? -1 }
    guard time.count == 3 || !text.contains("."), half == nil || (1...12).contains(time[0]) else { return nil }
    if let half { time[0] = time[0] % 12 + (half == "pm" ? 12 : 0) }
    if time.count == 2 { time.append(0) }
    guard time.count == 3, text.last != ".", 0..<24 ~= time[0], 0..<60 ~= time[1], 0...60 ~= time[2] else { return nil }
    return time.map(twoDigits).joined(separator: ":")
}

/// Returns the offset of a zone as `Z` or `+01:00`; empty if it is ambiguous, and nil if it is unknown.
private func offset(_ words: [Substring]) -> String? {
    switch words.count {
    case 0: "Z"
    case 1: zones[words[0]] ?? numericOffset(words[0])
    case 2 where zones[words[0]] == "Z": numericOffset(words[1])
    // A name after a number only repeats it.
    case 2 where zones[words[1]] != nil: numericOffset(words[0])
    default: nil
    }
}

private func numericOffset(_ word: Substring) -> String? {
    let digits = word.dropFirst().filter { $0 != ":" }
    guard let sign = word.first, "+-".contains(sign), [1, 2, 4].contains(digits.count), let number = Int(digits) else {
        return nil
    }
    let (hours, minutes) = (digits.count < 4 ? number * 100 : number).quotientAndRemainder(dividingBy: 100)
    return hours < 15 && minutes < 60 ? "\(sign)\(twoDigits(hours)):\(twoDigits(minutes))" : nil
}

/// The names of RFC 822, and others that feeds use. A name in RFC 822 has its meaning there, although CST is also in China.
private let zones: [Substring: String] = [
    "z": "Z", "ut": "Z", "utc": "Z", "gmt": "Z", "wet": "Z", "west": "+01:00", "bst": "+01:00", "cet": "+01:00",
    "mez": "+01:00", "cest": "+02:00", "mesz": "+02:00", "eet": "+02:00", "sast": "+02:00", "eest": "+03:00",
    "msk": "+03:00", "trt": "+03:00", "pkt": "+05:00", "ict": "+07:00", "wib": "+07:00", "awst": "+08:00",
    "hkt": "+08:00", "sgt": "+08:00", "myt": "+08:00", "jst": "+09:00", "kst": "+09:00", "acst": "+09:30",
    "acdt": "+10:30", "aest": "+10:00", "aedt": "+11:00", "nzst": "+12:00", "nzdt": "+13:00", "nst": "-03:30",
    "ndt": "-02:30", "brt": "-03:00", "art": "-03:00", "ast": "-04:00", "adt": "-03:00", "est": "-05:00",
    "edt": "-04:00", "cst": "-06:00", "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00", "pst": "-08:00",
    "pdt": "-07:00", "akst": "-09:00", "akdt": "-08:00", "hst": "-10:00", "et": "", "ct": "", "mt": "",
    "pt": "", "ist": "",
]
