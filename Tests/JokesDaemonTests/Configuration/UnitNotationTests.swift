import TestSupport
import Testing

@testable import JokesDaemon

struct UnitNotationTests {
    @Test(
        "a duration is a whole number and s, m, h or d",
        arguments: [
            ("90s", 90), ("15m", 900), ("6h", 21_600), ("7d", 604_800), ("0s", 0), ("007m", 420),
        ])
    func readsDuration(text: String, seconds: Int64) {
        #expect(UnitNotation.duration.parse(text) == seconds)
    }

    @Test(
        "a size is a whole number and B, KB, MB or GB, in powers of 1,000",
        arguments: [
            ("1B", 1), ("500KB", 500_000), ("8MB", 8_000_000), ("2GB", 2_000_000_000),
        ])
    func readsSize(text: String, bytes: Int64) {
        #expect(UnitNotation.size.parse(text) == bytes)
    }

    @Test(
        "other texts are refused",
        arguments: [
            "", "s", "90", "-1s", "+1s", "1.5h", "1h30m", " 1s", "1 s", "1s ", "1S", "１s", "1w", "1kb", "1K", "0x1s",
            "9223372036854775808s", "9223372036854775807m", "106751991167301d",
        ])
    func refuses(text: String) {
        #expect(UnitNotation.duration.parse(text) == nil)
        #expect(UnitNotation.size.parse(text) == nil)
    }

    @Test(
        "a written amount is read back, and has the fewest digits",
        arguments: [
            (UnitNotation.duration, ["s", "m", "h", "d"]), (.size, ["B", "KB", "MB", "GB"]),
        ])
    func writesShortest(notation: UnitNotation, units: [String]) throws {
        try checkProperty(
            "text(parse(text)) is no longer than text", maxSize: 33,
            generate: { random, size in
                "\(Int64.random(in: 1...(1 << size), using: &random))\(units.randomElement(using: &random)!)"
            },
            property: { text in
                let amount = notation.parse(text) ?? -1
                let again = notation.text(amount)
                try verify(notation.parse(again) == amount && again.count <= text.count, "\(text) becomes \(again)")
            })
    }
}
