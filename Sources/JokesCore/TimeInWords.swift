package enum TimeInWords {
    /// Returns `just now` or `3 minutes ago`. A time in the future is `just now`.
    package static func ago(_ time: Timestamp, now: Timestamp) -> String {
        let passed = now.timeSince(time)
        return passed < .seconds(45) ? "just now" : "\(length(passed)) ago"
    }

    /// Returns `now`, `in 20 seconds` or `in 6 hours`.
    package static func until(_ time: Timestamp, now: Timestamp) -> String {
        let left = time.timeSince(now)
        return left < .seconds(1) ? "now" : "in \(length(left))"
    }

    /// Returns `1 second`, `20 seconds`, `45 minutes`, `6.5 hours` or `12 days`, rounded to the nearest unit; less than 10
    /// hours or days are rounded to the nearest half.
    package static func length(_ duration: Duration) -> String {
        let seconds = max(0, duration.wholeMicroseconds + 500_000) / 1_000_000
        let units: [(name: String, seconds: Int64, upTo: Int64)] = [
            ("second", 1, 90), ("minute", 60, 90 * 60), ("hour", 3600, 36 * 3600), ("day", 86_400, .max),
        ]
        for unit in units where seconds < unit.upTo {
            let halves = (2 * seconds + unit.seconds / 2) / unit.seconds
            if unit.seconds >= 3600 && halves < 20 && halves % 2 == 1 { return "\(halves / 2).5 \(unit.name)s" }
            return counted(Int((seconds + unit.seconds / 2) / unit.seconds), unit.name)
        }
        return ""
    }

    /// Returns a duration in seconds: `0.4 s`, `12.3 s`.
    package static func seconds(_ duration: Duration) -> String {
        let tenths = max(0, duration.wholeMicroseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
