import JokesCore

/// Returns a date in the form of RFC 3339, to the second, in the zone that it states; nil if it is not a date.
///
/// Reads the forms of RFC 822, RFC 850, asctime, JavaScript and ISO 8601, with month names in seven languages. A time without a
/// zone, or with a military zone, is in UTC. A date without a time, or with an ambiguous zone such as IST, becomes a day
/// without a time. A text with other words, an impossible date, and numbers whose order can vary are no date.
package func rfc3339Date(_ text: String) -> String? {
    guard text.utf8.count <= 128, let tokens = dateTokens(in: text) else { return nil }
    var reader = DateReader(tokens)
    return reader.readAll() ? reader.date : nil
}

/// Reads the parts of a date in any order, each once.
private struct DateReader {
    private var tokens: ArraySlice<DateToken>
    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var time: (hour: Int, minute: Int, second: Int)?
    private var zone: (offset: String, isNumber: Bool)?
    /// True after the `T` of ISO 8601.
    private var isTimeNext = false

    init(_ tokens: [DateToken]) {
        self.tokens = tokens[...]
        // The first word is a weekday in any language. In some of them, Tuesday begins as March.
        if case .word? = tokens.first, !tokens[0].isMonth || tokens.dropFirst().contains(where: \.isMonth) {
            self.tokens.removeFirst()
        }
    }

    var date: String? {
        guard !isTimeNext, let year, let month, let day, (1970..<9999).contains(year),
            var date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        guard let time, zone?.offset != "?" else { return date.description }
        if time.hour == 24 { date = CivilDate(daysSince1970: date.daysSince1970 + 1) }
        let clock = [time.hour % 24, time.minute, time.second].map(twoDigits).joined(separator: ":")
        return "\(date)T\(clock)\(zone?.offset ?? "Z")"
    }

    /// Returns false at a part that is not one of a date.
    mutating func readAll() -> Bool {
        while let token = tokens.popFirst() {
            switch token {
            case .number(let number, let digits): if !read(number, digits: digits) { return false }
            case .word(let word): if !read(word) { return false }
            case .sign(let sign): if !read(sign) { return false }
            }
        }
        return true
    }

    // MARK: Numbers

    private mutating func read(_ number: Int, digits: Int) -> Bool {
        if tokens.first == .sign(":") { return digits <= 2 && readTime(hour: number) }
        switch digits {
        case 4 where isTimeNext, 6 where isTimeNext:
            let seconds = digits == 4 ? number * 100 : number
            return set(hour: seconds / 10_000, minute: seconds / 100 % 100, second: seconds % 100)
        case 8 where year == nil && month == nil && day == nil:
            (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        case 4 where year == nil:
            year = number
            return readMonthAndDay()
        case 1...2 where day == nil: day = number
        // RFC 2822, 4.3: two digits up to 49 are of this century.
        case 2 where year == nil && month != nil: year = number + (number < 50 ? 2000 : 1900)
        default: return false
        }
        return true
    }

    /// Reads `-09-07` or `/09/07` after a year, if it is next.
    private mutating func readMonthAndDay() -> Bool {
        guard month == nil, day == nil, let separator = tokens.first, [.sign("-"), .sign("/")].contains(separator),
            case .number? = tokens.dropFirst().first
        else { return true }
        tokens.removeFirst()
        month = tokens.takeNumber()
        guard tokens.take(separator) else { return false }
        day = tokens.takeNumber()
        return true
    }

    private mutating func readTime(hour: Int) -> Bool {
        guard tokens.take(.sign(":")), let minute = tokens.takeNumber() else { return false }
        var second: Int?
        if tokens.take(.sign(":")) {
            second = tokens.takeNumber()
            if second == nil || tokens.take(.sign(".")) && tokens.takeNumber(digits: 1...64) == nil { return false }
        }
        return set(hour: hour, minute: minute, second: second ?? 0)
    }

    private mutating func set(hour: Int, minute: Int, second: Int) -> Bool {
        let isTime = hour < 24 && minute < 60 && second <= 60 || (hour, minute, second) == (24, 0, 0)
        guard time == nil, isTime else { return false }
        (time, isTimeNext) = ((hour, minute, second), false)
        return true
    }

    // MARK: Words

    private mutating func read(_ word: String) -> Bool {
        if let number = monthNumber(word) {
            defer { month = number }
            return month == nil
        }
        if let time {
            if word == "am" || word == "pm" {
                self.time?.hour = time.hour % 12 + (word == "pm" ? 12 : 0)
                return (1...12).contains(time.hour)
            }
        } else if word == "t" {
            isTimeNext = true
            return true
        } else if ["de", "del", "of", "at", "st", "nd", "rd", "th"].contains(word) {
            return true
        }
        let isMilitary = time != nil && word.utf8.count == 1
        guard let offset = zoneOffset(word) ?? (isMilitary ? "Z" : nil) else { return false }
        // A name after a number only repeats it.
        if zone?.isNumber == true { return true }
        defer { zone = (offset, false) }
        return zone == nil
    }

    // MARK: Signs

    private mutating func read(_ sign: Character) -> Bool {
        if time != nil { return (sign == "+" || sign == "-") && readOffset(sign) }
        // `7-Sep-2002`, `7. September 2002`
        switch tokens.first {
        case .number?: return sign == "-" && month != nil
        case let next?: return (sign == "-" || sign == ".") && next.isMonth
        case nil: return false
        }
    }

    private mutating func readOffset(_ sign: Character) -> Bool {
        guard zone == nil || zone?.offset == "Z" && zone?.isNumber == false else { return false }
        var (hours, minutes): (Int?, Int?) = (tokens.takeNumber(), 0)
        if hours == nil, let number = tokens.takeNumber(digits: 4...4) {
            (hours, minutes) = (number / 100, number % 100)
        } else if tokens.take(.sign(":")) {
            minutes = tokens.takeNumber()
        }
        guard let hours, hours < 15, let minutes, minutes < 60 else { return false }
        zone = ("\(sign)\(twoDigits(hours)):\(twoDigits(minutes))", true)
        return true
    }
}
