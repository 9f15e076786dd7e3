import JSON
import TestSupport
import Testing

/// Strict parsing, encoding and decoding.
struct JSONCodingTests {
    private static func text(_ random: inout SplitMix64) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "\u{2028}", "€", "🙂", "\u{10FFFF}",
        ]
        var text = ""
        for _ in 0..<random.int(in: 0..<8) { text.unicodeScalars.append(scalars.randomElement(using: &random)!) }
        return text
    }

    private static func value(_ random: inout SplitMix64, _ size: Int) -> Value {
        switch random.int(in: 0..<(size > 1 ? 7 : 4)) {
        case 0: return .text(text(&random))
        case 1:
            return .number(random.chance(1, in: 2) ? random.int(in: -9..<9) : Int(truncatingIfNeeded: random.next()))
        case 2:
            let ratio = Double(bitPattern: random.next())
            return .ratio(ratio.isFinite ? ratio : 0.1)
        case 3: return .flag(random.chance(1, in: 2))
        case 4: return .list((0..<random.int(in: 0..<4)).map { _ in value(&random, size / 2) })
        case 5:
            var map: [String: Value] = [:]
            for _ in 0..<random.int(in: 0..<60) { map[text(&random)] = value(&random, 1) }
            return .map(map)
        default:
            return .record(
                Record(
                    name: text(&random), count: random.chance(1, in: 2) ? .max : nil, small: .min,
                    nested: [[], [1.5, nil]], next: random.chance(1, in: 2) ? value(&random, size / 2) : nil))
        }
    }

    @Test("an encoded value is decoded as it was")
    func roundTrip() throws {
        try checkProperty("JSON round trip", cases: 3_000, maxSize: 60) { random, size in
            Self.value(&random, size)
        } property: { value in
            let bytes = try JSONEncoding.encode(value)
            let back = try JSONDocument(bytes).root.decode(Value.self)
            try verify(back == value, "\(back) from \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("the indented layout has the same value as the compact one")
    func layouts() throws {
        try checkProperty("JSON layouts", cases: 1_000, maxSize: 60) { random, size in
            Self.value(&random, size)
        } property: { value in
            let bytes = try JSONEncoding.encode(value, .indented)
            let back = try JSONDocument(bytes).root.decode(Value.self)
            try verify(back == value, String(decoding: bytes, as: UTF8.self))
        }
        struct Sample: Encodable {
            var text = "a, {b}: [\"c\\"
            var empty: [Int] = []
            var nothing: Int?
            var list = [[1, 2], []]
            var parts = ["x": true]
        }
        let expected = """
            {
              "text": "a, {b}: [\\"c\\\\",
              "empty": [],
              "list": [
                [
                  1,
                  2
                ],
                []
              ],
              "parts": {
                "x": true
              }
            }
            """
        #expect(try JSONEncoding.text(of: Sample(), .indented) == expected)
    }

    @Test("a text with one damaged byte is read correctly or refused")
    func damaged() throws {
        try checkProperty("damaged JSON", cases: 5_000, maxSize: 30) { random, size in
            var bytes = (try? JSONEncoding.encode(Self.value(&random, size))) ?? []
            let place = random.int(in: 0..<bytes.count)
            switch random.int(in: 0..<3) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: place)
            default: bytes.insert("{}[]\",:\\0-e".utf8.randomElement(using: &random)!, at: place)
            }
            return bytes
        } property: { bytes in
            guard let document = try? JSONDocument(bytes) else { return }
            // A text that was read is well-formed: it is the same value after encoding.
            if let value = try? document.root.decode(Value.self) {
                let again = try JSONDocument(JSONEncoding.encode(value)).root.decode(Value.self)
                try verify(again == value, "\(value)")
            }
            try verify(String(validating: bytes, as: UTF8.self) != nil, "invalid UTF-8 was taken")
        }
    }

    private static let texts: [(String, Bool)] = [
        ("0", true), ("-0", true), ("01", false), ("-", false), ("1.", false), (".5", false), ("1.5e+3", true),
        ("1e", false), ("+1", false), ("0x1", false), ("NaN", false), ("true", true), ("tru", false), ("nul", false),
        ("[]", true), ("[1,]", false), ("[,1]", false), ("[1 2]", false), ("{}", true), (#"{"a":1,}"#, false),
        (#"{"a"}"#, false), (#"{a:1}"#, false), (#"{"a":1 "b":2}"#, false), (#"{"a" : [ { } , null ] }"#, true),
        (#""\u00e9\ud83d\ude00\b\f\/""#, true), (#""\x""#, false), (#""\u12""#, false), (#""\u12g4""#, false),
        (#""\ud83d""#, false), (#""\ud83dx""#, false), (#""\ud83d\u0041""#, false), (#""\u0000""#, false),
        ("\"\u{1}\"", false), ("\"\t\"", false), ("\"", false), ("", false), (" ", false), ("1 1", false),
        ("\u{FEFF}1", true),
    ]

    @Test("the grammar is that of RFC 8259, without U+0000", arguments: texts)
    func grammar(_ text: String, _ isTaken: Bool) {
        #expect(((try? JSONDocument(Array(text.utf8))) != nil) == isTaken)
    }

    @Test("nesting is limited")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSONDocument(nested(128)) }
        #expect(throws: JSONError.self) { try JSONDocument(nested(129)) }
        #expect(throws: JSONError.self) { try JSONDocument(nested(500_000)) }
    }

    @Test("numbers that do not fit are refused")
    func numbers() throws {
        func decode<T: Decodable>(_ text: String, as type: T.Type) -> T? {
            try? JSONDocument(Array(text.utf8)).root.decode(type)
        }
        #expect(decode("255", as: UInt8.self) == 255)
        #expect(decode("256", as: UInt8.self) == nil)
        #expect(decode("-1", as: UInt8.self) == nil)
        #expect(decode("-128", as: Int8.self) == -128)
        #expect(decode("9223372036854775807", as: Int.self) == .max)
        #expect(decode("9223372036854775808", as: Int.self) == nil)
        #expect(decode("-9223372036854775808", as: Int.self) == .min)
        #expect(decode("18446744073709551615", as: UInt64.self) == .max)
        #expect(decode("1.0", as: Int.self) == nil)
        #expect(decode("1e2", as: Int.self) == nil)
        #expect(decode("1", as: Double.self) == 1)
        #expect(decode("1e400", as: Double.self) == nil)
        #expect(decode("1e39", as: Float.self) == nil)
        #expect(decode("3.4e38", as: Float.self) == 3.4e38)
        #expect(decode("\"1\"", as: Int.self) == nil)
        #expect(throws: EncodingError.self) { try JSONEncoding.encode(Double.nan) }
        #expect(throws: EncodingError.self) { try JSONEncoding.encode(["x": Float.infinity]) }
    }

    private struct Parts: Encodable {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) {}
        }

        enum Keys: String, CodingKey { case a, b, list, nested, nothing, null, after }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            var inner = list.nestedContainer(keyedBy: Keys.self)
            try inner.encode(true, forKey: .a)
            try list.encodeNil()
            _ = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
            try container.encode(Nothing(), forKey: .nothing)
            try container.encodeNil(forKey: .null)
            // A second part of the same object, as in types that share their fields.
            var again = encoder.container(keyedBy: Keys.self)
            try again.encode("x", forKey: .after)
        }
    }

    @Test("types with handwritten encoding are encoded correctly, without nulls in objects")
    func containers() throws {
        let text = String(decoding: try JSONEncoding.encode(Parts()), as: UTF8.self)
        #expect(text == #"{"a":1,"list":[1,{"a":true},null],"nested":{},"nothing":{},"after":"x"}"#)
    }

    @Test("a null in a dictionary of optional values stays, and is refused in one of other values")
    func nullInDictionary() throws {
        let values: [String: Int?] = ["none": nil, "one": 1]
        let document = try JSONDocument(JSONEncoding.encode(values))
        #expect(try document.root.decode([String: Int?].self) == values)
        let error = #expect(throws: JSONError.self) { try document.root.decode([String: Int].self) }
        #expect(error?.path == "none" && error?.reason == "expected a whole number, found null")
    }

    @Test("an error has the path and the offset of the value")
    func places() throws {
        struct Outer: Decodable {
            struct Inner: Decodable { let number: Int }
            let list: [Inner]
        }
        let document = try JSONDocument(Array(#"{"other":{"x":[1]},"list":[{"number":1},{"number":"x"}]}"#.utf8))
        let error = #expect(throws: JSONError.self) { try document.root.decode(Outer.self) }
        #expect(error == JSONError(offset: 50, path: "list[1].number", reason: "expected a whole number, found text"))
        let missing = #expect(throws: JSONError.self) { try JSONDocument(Array("{}".utf8)).root.decode(Outer.self) }
        #expect(missing == JSONError(offset: 0, path: "list", reason: "missing"))
    }

    @Test("a text with too many values and names is refused at the first one beyond the limit")
    func manyValues() throws {
        let text = Array(#"{"a":[1,2]}"#.utf8)
        #expect(throws: Never.self) { try JSONDocument(text, maxValues: 5) }
        let error = #expect(throws: JSONError.self) { try JSONDocument(text, maxValues: 4) }
        #expect(error == JSONError(offset: 8, reason: JSONError.tooManyValues))
    }
}

/// Any encodable value, for round trips.
private indirect enum Value: Codable, Equatable {
    case text(String)
    case number(Int)
    case ratio(Double)
    case flag(Bool)
    case list([Value])
    case map([String: Value])
    case record(Record)
}

private struct Record: Codable, Equatable {
    var name: String
    var count: UInt8?
    var small: Int16
    var nested: [[Double?]]
    var next: Value?
}
