import TestSupport
import Testing

@testable import JSON5

struct JSON5ReaderTests {
    @Test("each style of JSON5 is read, with the line and the place of each value")
    func readsEveryStyle() throws {
        try checkProperty(
            "read(write(value)) = value", cases: 5000, maxSize: 5,
            generate: { random, size in RandomJSON5(seed: random.next(), size: size) },
            property: { sample in
                let read = try JSON5Reader.read(sample.text)
                // The descriptions have the places, too.
                try verify("\(read)" == "\(sample.value)", "expected \(sample.value), got \(read)")
            })
    }

    @Test("a text with a typing error is read, or refused with one of its lines")
    func survivesSlips() throws {
        var refused = 0
        try checkProperty(
            "read(slip(text)) returns or throws", cases: 5000, maxSize: 4,
            generate: { random, size in
                withSlip(in: RandomJSON5(seed: random.next(), size: size).text, random: &random)
            },
            property: { text in
                do throws(JSON5Reader.SyntaxError) {
                    _ = try JSON5Reader.read(text)
                } catch {
                    refused += 1
                    let lines = lineEnds(of: text) + 1
                    try verify((1...lines).contains(error.line), "line \(error.line) of \(lines)")
                }
            })
        #expect(refused > scaled(500))
    }

    @Test(
        "malformed JSON5 is refused",
        arguments: [
            "", " ", "// nothing", "#", "tru", "TRUE", "undefined", "a", "1 2", "{} {}", "[1 2]", "[,]", "[1,,2]",
            "[1,,]",
            "[", "]", "[1", "{", "{,}", "{a}", "{a:}", "{a:1 b:2}", "{a:1,,}", "{1a:2}", "{a-b:1}", "{[1]:2}", "{a::1}",
            "{a=1}", "01", "00", "-01", ".", "+", "-", "--1", "+-1", "1e", "1e+", "e1", "1.2.3", "1_000", "0x", "0xg",
            "0b1",
            "1a", "１", "0x１", "infinity", "NAN", "-Infinity1", "'", "'a", "'a\"", "'a\nb'", "'a\rb'", "'\\", "'\\1'",
            "'\\9'", "'\\01'", "'\\x4'", "'\\xg0'", "'\\u12'", "'\\u{41}'", "'\\ud800'", "'\\udc00'",
            "'\\ud800\\u0041'",
            "'\\ud800x'", "/", "/ /", "/* ", "/*/", "1 /", "1 */",
        ])
    func refuses(text: String) {
        #expect(throws: JSON5Reader.SyntaxError.self) { try JSON5Reader.read(text) }
    }

    @Test("lists and objects are nested at most 64 levels deep")
    func boundsDepth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSON5Reader.read(nested(64)) }
        #expect(throws: JSON5Reader.SyntaxError(line: 1, message: "nested more than 64 levels deep")) {
            try JSON5Reader.read(nested(65))
        }
    }
}

private func withSlip(in text: String, random: inout SplitMix64) -> String {
    var scalars = Array(text.unicodeScalars)
    let slips = Array("{}[],:\"'\\/*01ae.-\n".unicodeScalars)
    let slip = slips[random.int(in: 0..<slips.count)]
    let place = random.int(in: 0..<scalars.count + 1)
    switch random.int(in: 0..<3) {
    case 0 where place < scalars.count: scalars.remove(at: place)
    case 1 where place < scalars.count: scalars[place] = slip
    default: scalars.insert(slip, at: place)
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
}
