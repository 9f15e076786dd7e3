import FoundationEssentials
import TestSupport
import Testing
import VarlinkFuzz

/// The properties that `make fuzz` checks, here with the bytes of the corpus and random bytes.
@Suite struct VarlinkFuzzTests {
    @Test("the bytes of the corpus break no property of the socket")
    func corpus() throws {
        let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/VarlinkFuzz/Corpus"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.isEmpty)
        for name in names {
            let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
            do {
                try checkVarlinkProperties(for: Array(bytes))
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    @Test("random bytes break no property of services, clients and parsers")
    func anyBytes() throws {
        try checkProperty(
            "bytes", cases: 500, maxSize: 256,
            generate: { random, size in (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) } },
            shrink: { bytes in bytes.indices.map { Array(bytes[..<$0] + bytes[($0 + 1)...]) } },
            property: checkVarlinkProperties)
    }
}
