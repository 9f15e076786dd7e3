import FoundationEssentials
import Testing

@testable import JokesCore

/// The programs contain the runtime of the toolchain that runs these tests.
@Suite("Letter")
struct LetterTests {
    /// What the file says about a scalar and those after it.
    struct Entry {
        let first: UInt32
        let kind: Substring
        private let mapping: [UInt32]

        init(_ text: Substring) {
            let fields = text.split(separator: " ")
            first = UInt32(fields[0], radix: 16)!
            kind = fields[1]
            mapping = fields[2...].map { UInt32($0, radix: 16)! }
        }

        func mapping(of value: UInt32) -> [UInt32] {
            mapping.dropLast() + mapping.suffix(1).map { $0 + value - first }
        }
    }

    @Test("has the properties of Unicode 15.0 with this runtime, for every scalar")
    func properties() throws {
        let path = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/letters.txt"
        var entries = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .flatMap { $0.split(separator: ";") }.map(Entry.init)[...]
        #expect(entries.count > 5_000)
        for value in UInt32(0x80)...0x10FFFF {
            if entries.dropFirst().first?.first == value { entries.removeFirst() }
            guard let scalar = Unicode.Scalar(value), let entry = entries.first else { continue }
            let (kind, mapping) = properties(of: scalar)
            // The file has no parts for the syllables of Hangul.
            let isSame = kind == entry.kind && (mapping == entry.mapping(of: value) || isHangulSyllable(scalar))
            if !isSame { Issue.record("U+\(String(value, radix: 16)) is \(kind) \(mapping)") }
        }
    }

    private func isHangulSyllable(_ scalar: Unicode.Scalar) -> Bool { ("가"..."힣").contains(scalar) }

    /// Returns the kind of a scalar as the file has it, and its parts or its case folding if it does not stand for itself.
    private func properties(of scalar: Unicode.Scalar) -> (kind: String, mapping: [UInt32]) {
        if let parts = scalar.canonicalParts { return ("=", parts.map(\.value)) }
        let letter = Letter(scalar)
        var folded: [UInt32] = []
        letter.forEachCaseFolded { folded.append($0.value) }
        let mapping = folded == [scalar.value] ? [] : folded
        return switch letter.kind {
        case .ignored: ("-", mapping)
        case .letter: ("L", mapping)
        case .number where letter.combiningClass > 0:
            ("M" + String(letter.combiningClass, radix: 16, uppercase: true), mapping)
        case .number: ("N", mapping)
        case .symbol: ("S", mapping)
        }
    }
}
