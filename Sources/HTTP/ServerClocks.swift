import CCurl
package import Unix

/// What servers said the time was when they last answered, and so what it is now by their clocks. Costs no request.
package struct ServerClocks: Sendable {
    /// Seconds since 1970, and when that was said.
    private struct Reading {
        var seconds: Int64
        var at: BootInstant
    }

    private var readings: [String: Reading] = [:]
    /// More hosts than anybody has sources.
    private static let most = 64

    package init() {}

    /// Takes the time from an answer's Date, which a cache says how long ago it was given; nothing where there is none.
    mutating func take(_ headers: HeaderFields, from host: String, at now: BootInstant) {
        guard let seconds = headers["Date"].flatMap({ secondsSince1970(httpDate: $0) }) else { return }
        let age = headers["Age"].flatMap { Int64($0) }.map { min(max($0, 0), 1 << 31) } ?? 0
        if readings[host] == nil && readings.count >= Self.most { return }
        readings[host] = Reading(seconds: seconds + age, at: now)
    }

    /// How far the wall clock, in microseconds since 1970, is ahead of each server's; negative where it is behind.
    package func leads(of wall: Int64, at now: BootInstant) -> [Duration] {
        readings.values.map { reading in
            .microseconds(wall) - .seconds(reading.seconds) - reading.at.duration(to: now)
        }
    }
}

/// The seconds from 1970 to a date in HTTP (RFC 9110, 5.6.7), such as `Fri, 20 Nov 2026 14:01:13 GMT`; nil if it is not a
/// date.
package func secondsSince1970(httpDate text: String) -> Int64? {
    let seconds = text.utf8.count < 64 ? curl_getdate(text, nil) : -1
    return seconds > 0 ? Int64(seconds) : nil
}
