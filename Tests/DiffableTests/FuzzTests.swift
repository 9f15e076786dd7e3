import DiffableFuzz
import FoundationEssentials
import TestSupport
import Testing

/// Checks the properties of `make fuzz` for a small corpus and for random bytes.
@Suite struct FuzzTests {
    @Test("the properties hold for each input of the corpus")
    func corpus() throws {
        let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/DiffableFuzz/Corpus"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.isEmpty)
        for name in names {
            let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
            do {
                try holdDiffableProperties(for: Array(bytes))
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    @Test("the properties of snapshots, differences and outlines hold for random bytes")
    func anyBytes() throws {
        try checkProperty(
            "bytes", cases: 500, maxSize: 256,
            generate: { random, size in (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) } },
            shrink: { bytes in bytes.indices.map { Array(bytes[..<$0] + bytes[($0 + 1)...]) } },
            property: holdDiffableProperties)
    }
}
