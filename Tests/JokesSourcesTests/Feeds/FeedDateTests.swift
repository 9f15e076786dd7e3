import JokesCore
import JokesExchange
import TestSupport
import Testing

@Suite("Dates of feeds")
struct FeedDateTests {
    static let moment = "2002-09-07T10:00:01"

    static let zones: [(text: String, zone: String)] = [
        ("", "Z"), ("Z", "Z"), ("GMT", "Z"), ("UT", "Z"), ("utc", "Z"), ("WET", "Z"), ("+0000", "+00:00"),
        ("-0000", "-00:00"),
        ("+0200", "+02:00"), ("+02:00", "+02:00"), ("+2", "+02:00"), ("-05:30", "-05:30"), ("GMT+0200", "+02:00"),
        ("GMT-08:00", "-08:00"), ("UTC+2", "+02:00"), ("UTC +02:00", "+02:00"), ("+0200 CEST", "+02:00"),
        ("+0000 UTC", "+00:00"),
        ("GMT+0200 (Central European Summer Time)", "+02:00"), ("-0700 (PDT)", "-07:00"), ("BST", "+01:00"),
        ("CET", "+01:00"),
        ("MESZ", "+02:00"), ("CEST", "+02:00"), ("WEST", "+01:00"), ("EET", "+02:00"), ("EEST", "+03:00"),
        ("MSK", "+03:00"),
        ("JST", "+09:00"), ("AEST", "+10:00"), ("ACST", "+09:30"), ("EST", "-05:00"), ("EDT", "-04:00"),
        ("PST", "-08:00"),
        ("PDT", "-07:00"), ("NST", "-03:30"),
    ]

    @Test("the stated zone is kept, and UTC is the zone of a time without one", arguments: zones)
    func zone(text: String, zone: String) {
        for date in ["Sat, 07 Sep 2002 10:00:01 ", "2002-09-07 10:00:01 ", "Sat, 7 Sep 2002 10:00:01AM "] {
            #expect(rfc3339Date(date + text) == Self.moment + zone)
        }
    }

    @Test(
        "every usual form is read",
        arguments: [
            "Sat, 07 Sep 2002 10:00:01 GMT", "Saturday, 07 September 2002 10:00:01 GMT", "Sat,07 Sep 2002 10:00:01 GMT",
            "07 Sep 02 10:00:01 GMT", "Saturday, 07-Sep-02 10:00:01 GMT", "07-Sep-2002 10:00:01",
            "2002-Sep-07 10:00:01",
            "Sep 07, 2002 10:00:01 GMT", "September 7, 2002, 10:00:01 AM", "September 7th, 2002 at 10:00:01 am UTC",
            "Sat Sep  7 10:00:01 2002", "Sat Sep  7 10:00:01 UTC 2002", "Sat Sep  7 10:00:01 2002 UTC",
            "Sat Sep 07 2002 10:00:01 GMT",
            "2002-09-07T10:00:01Z", "2002-09-07t10:00:01z", "2002-09-07 10:00:01", "2002-09-07T10:00:01.123456Z",
            "2002-9-7 10:0:1",
            "2002/09/07 10:00:01", "  2002-09-07T10:00:01Z\n",
        ])
    func form(text: String) {
        #expect(rfc3339Date(text) == "2002-09-07T10:00:01Z")
    }

    @Test(
        "months have names in seven languages, and the weekday is any word",
        arguments: [
            "Sa, 07 Sep 2002", "sam., 07 sept. 2002", "Samstag, 7. September 2002", "sábado, 7 de septiembre de 2002",
            "sabato 7 settembre 2002", "7 set 2002", "zaterdag 7 september 2002", "sáb., 7 de setembro de 2002",
            "SAMEDI 7 SEPTEMBRE 2002",
        ])
    func language(text: String) {
        #expect(rfc3339Date(text) == "2002-09-07")
        #expect(rfc3339Date(text + " 10:00:01 +0200") == "2002-09-07T10:00:01+02:00")
    }

    static let months: [(name: String, month: String)] = [
        ("Jänner", "01"), ("janv.", "01"), ("ene", "01"), ("gennaio", "01"), ("févr.", "02"), ("fevrier", "02"),
        ("fev", "02"),
        ("März", "03"), ("mrt", "03"), ("mars", "03"), ("março", "03"), ("mar", "03"), ("avr.", "04"), ("abr", "04"),
        ("Mai", "05"),
        ("mei", "05"), ("mag", "05"), ("mayo", "05"), ("juin", "06"), ("giu", "06"), ("juil.", "07"), ("lug", "07"),
        ("août", "08"),
        ("aout", "08"), ("ago", "08"), ("ott", "10"), ("Okt", "10"), ("out", "10"), ("Dez", "12"), ("dic", "12"),
        ("déc.", "12"),
        ("de\u{301}c.", "12"),
    ]

    @Test("a month has the first letters of its name", arguments: months)
    func month(name: String, month: String) {
        #expect(rfc3339Date("mar. 7 \(name) 2002") == "2002-\(month)-07")
    }

    static let others: [(text: String, date: String?)] = [
        // A day without a time stays a day.
        ("2002-09-07", "2002-09-07"), ("2002-09-07Z", "2002-09-07"), ("Sep 7, 2002", "2002-09-07"),
        ("1er septembre 2002", "2002-09-01"),
        // Zones in India, Israel and Ireland, and those of North America without their season.
        ("Sat, 07 Sep 2002 10:00:01 IST", "2002-09-07"), ("Sep 7, 2002 10:00 AM ET", "2002-09-07"),
        ("Sat, 07 Sep 2002 10:00:01 +0530 (IST)", "2002-09-07T10:00:01+05:30"),
        ("2002-09-07T10:00Z", "2002-09-07T10:00:00Z"), ("20 Nov 26 14:01 +0130", "2026-11-20T14:01:00+01:30"),
        ("07 Sep 2002 12:00 AM", "2002-09-07T00:00:00Z"), ("07 Sep 2002 12:30 PM EST", "2002-09-07T12:30:00-05:00"),
        ("07 Sep 2002 10:00:01PM", "2002-09-07T22:00:01Z"),
        ("30 Jun 2012 23:59:60 GMT", "2012-06-30T23:59:60Z"), ("2024-02-29", "2024-02-29"), ("1 Jan 70", "1970-01-01"),
    ]

    @Test("a day, an hour of 12 or 24 and an ambiguous zone have their meaning", arguments: others)
    func other(text: String, date: String?) {
        #expect(rfc3339Date(text) == date)
    }

    @Test(
        "a text that is not exactly one possible date is no date",
        arguments: [
            "", " ", "yesterday", "Sat", "Fri, , ,", "--T::Z", "T", "2002", "2002-09", "Sep 2002", "09/07/2002",
            "7/9/02 10:00",
            "07.09.2002", "09-07-2002", "20020907", "20020907T100001Z", "2002-W36-6", "2002-W36", "2002-250", "2002250",
            "1031392801", "10:00:01 GMT",
            "31 Feb 2002", "30 Feb 2026 00:00 GMT", "2026-02-29T00:00:00Z", "00 Sep 2002", "2002-13-01", "20021301",
            "7 Jui 2002",
            "7 Sep 1969", "0001-01-01T00:00:00Z", "12 Sep 69", "7 Se 2002", "7 Sep Oct 2002", "7 Sep 20S2",
            "7 8 Sep 2002",
            "7 Sep 2002 2003", "07 Sep 2002 25:00 GMT", "07 Sep 2002 24:00 GMT", "07 Sep 2002 10:60 GMT",
            "07 Sep 2002 10:00:61",
            "07 Sep 2002 10 GMT", "07 Sep 2002 13:00 PM", "07 Sep 2002 00:10 AM", "07 Sep 2002 PM",
            "07 Sep 2002 10:00 11:00", "07 Sep 2002 10:00 - 11:00", "07 Sep 2002 10::01", "07 Sep 2002 10:00.5",
            "07 Sep 2002 10:00:01 GMT soon", "07 Sep 2002 10:00:01 Nowhere", "07 Sep 2002 10:00:01 GMT EST",
            "07 Sep 2002 10:00:01 A",
            "07 Sep 2002 10:00:01 EST+0200", "07 Sep 2002 10:00:01 +0200 +0100", "07 Sep 2002 10:00:01 +99:00",
            "07 Sep 2002 10:00:01 +1500", "07 Sep 2002 10:00:01 +0260", "07 Sep 2002 10:00:01 +020",
            "07 Sep 2002 10:00:01 +02:0",
            "07 Sep 2002 10:00:01 +",
            "2002-09-07T10", "2002-09-07T100001Z", "2002-09-07T10:00:01.Z", "2002-09-07T10:00:01Z<br>",
            "2002-09-07T10:00:01Z/P1D",
            "2002-09-07-2002-09-08", "07 Sep 2002 - 08 Sep 2002", "07 Sep 2002 (",
            "99999999999999999999 Nov 2026 14:01 GMT",
            "٠٧ Sep 2002", "07 Sep 2002 10:00:01 GMT" + String(repeating: " ", count: 200),
        ])
    func noDate(text: String) {
        #expect(rfc3339Date(text) == nil)
    }

    @Test("a random date in any form is that date")
    func roundTrip() throws {
        try checkProperty(
            "forms are read back", cases: 10_000, generate: { random, _ in randomDate(&random) },
            property: { text, date in
                let read = rfc3339Date(text)
                try verify(read == date, "\(read ?? "no date") of \(text)")
            })
    }

    @Test("a damaged date is a date of the years 1970 to 9999 or none")
    func damaged() throws {
        try checkProperty(
            "damage is no crash", cases: 10_000,
            generate: { random, _ in
                var letters = Array(randomDate(&random).text)
                for _ in 0..<random.int(in: 1..<4) where !letters.isEmpty {
                    let other = letters[random.int(in: 0..<letters.count)]
                    switch random.int(in: 0..<3) {
                    case 0: letters.remove(at: random.int(in: 0..<letters.count))
                    case 1: letters.insert(other, at: random.int(in: 0..<letters.count))
                    default: letters[random.int(in: 0..<letters.count)] = other
                    }
                }
                return String(letters)
            },
            property: { (text: String) in
                guard let date = rfc3339Date(text) else { return }
                let numbers = date.prefix(10).split(separator: "-").compactMap { Int($0) }
                try verify(
                    numbers.count == 3 && CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]) != nil
                        && numbers[0] >= 1970 && [10, 20, 25].contains(date.utf8.count), "\(date) of \(text)")
            })
    }
}

/// Returns a date in a random form, and in that of RFC 3339.
private func randomDate(_ random: inout SplitMix64) -> (text: String, date: String) {
    let date = CivilDate(daysSince1970: random.int(in: 0..<40_000))
    let clock = [24, 60, 60].map { twoDigits(random.int(in: 0..<$0)) }.joined(separator: ":")
    let zones = [
        (" GMT", "Z"), ("", "Z"), (" +0130", "+01:30"), ("-09:00", "-09:00"), (" CEST", "+02:00"), (" UTC-3", "-03:00"),
    ]
    let (zoneText, zone) = zones[random.int(in: 0..<zones.count)]
    let (day, month, year) = (twoDigits(date.day), twoDigits(date.month), "\(date.year)")
    let name = CivilDate.monthNames[date.month - 1]
    let forms = [
        "Mon, \(day) \(name) \(year) \(clock)\(zoneText)", "\(date.day) \(name) \(year) \(clock)\(zoneText)",
        "\(name) \(day), \(year) \(clock)\(zoneText)", "Mon \(name) \(date.day) \(clock)\(zoneText) \(year)",
        "\(year)-\(month)-\(day)T\(clock)\(zoneText)", "\(year)/\(month)/\(day) \(clock)\(zoneText)",
        "Monday, \(day)-\(name)-\(year) \(clock)\(zoneText)",
    ]
    return (forms[random.int(in: 0..<forms.count)], "\(date)T\(clock)\(zone)")
}
