import JokesCore
import JokesStore
import Testing

/// Short IDs, which users type instead of IDs that are derived from a text.
@Suite final class ShortIDTests: StoreTestCase {
    @Test("a short ID has at least 6 digits, and matches no other joke")
    func shortIDs() throws {
        let digits = (0..<40).map { hexDigits($0) }
        let ids = digits.map { "a:~\($0)" } + ["a:1", "a:~x", "b:~é"]
        let all = try ids.enumerated().map { number, id in
            var joke = try joke("a", "1", "Duck number \(number).")
            joke.id = JokeID(rawValue: id)
            return joke
        }
        try store.ingest(all)
        for id in ids {
            let short = try reader.shortID(JokeID(rawValue: id))
            let found = try reader.ids(withPrefix: JokeID.prefix(from: short), limit: 9).map(\.rawValue)
            #expect(found.contains(id) && (found == [id] || short == id), "\(short): \(found)")
            #expect(short == id || short.hasPrefix("a~") && short.utf8.count >= min(8, id.utf8.count - 1))
        }
        #expect(try reader.shortID(JokeID(rawValue: "a:1")) == "a:1")
        #expect(try digits.contains { try reader.shortID(JokeID(rawValue: "a:~\($0)")).utf8.count > 8 })
    }

    /// Returns 16 hexadecimal digits. Neighbors share up to 15 of them.
    private func hexDigits(_ number: Int) -> String {
        let value = number % 4 == 0 ? UInt64(number) &* 0x9E37_79B9_7F4A_7C15 : 0xABCD_EF01_2345_6780 + UInt64(number)
        let hex = String(value, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }
}
