import CCurl
package import Unix

/// The times in the last responses of servers, for a comparison with the wall clock.
package struct ServerClocks: Sendable {
    private static let maxServers = 64

    /// The time since 1970 of each server at the boot of this machine.
    private var bootTimes: [String: Duration] = [:]

    /// Reads the time from Date and Age; does nothing without Date.
    mutating func read(_ headers: HeaderFields, from host: String, at now: BootInstant) {
        guard let seconds = headers["Date"].flatMap({ secondsSince1970(httpDate: $0) }) else { return }
        let age = headers["Age"].flatMap { Int64($0) }.map { min(max($0, 0), 1 << 31) } ?? 0
        if bootTimes[host] == nil && bootTimes.count >= Self.maxServers { return }
        bootTimes[host] = .seconds(seconds + age) - now.sinceBoot
    }

    /// Returns how far the wall clock, in microseconds since 1970, is ahead of the clock of each server; negative if it is behind.
    package func leads(of wall: Int64, at now: BootInstant) -> [Duration] {
        bootTimes.values.map { .microseconds(wall) - $0 - now.sinceBoot }
    }
}

/// Returns the seconds from 1970 to a date such as `Fri, 20 Nov 2026 14:01:13 GMT` (RFC 9110, 5.6.7); nil if it is none.
package func secondsSince1970(httpDate text: String) -> Int64? {
    let seconds = text.utf8.count < 64 ? curl_getdate(text, nil) : -1
    return seconds > 0 ? Int64(seconds) : nil
}
