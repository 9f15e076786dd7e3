import FoundationEssentials

/// A kind of identifier that the workloads use.
protocol BenchmarkIdentifier: Hashable, Sendable {
    /// The name in the report.
    static var kind: String { get }
    /// Makes the identifier of the element with this number. It is the same each time, has its own storage, and differs
    /// as much for adjacent numbers as for any others.
    init(number: Int)
}

extension UUID: BenchmarkIdentifier {
    static var kind: String { "uuid" }

    init(number: Int) {
        let bits = Bits(number: number)
        self = withUnsafeBytes(of: (bits.high, bits.low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// An identifier that consists only of its bits.
struct Bits: BenchmarkIdentifier {
    static var kind: String { "bits" }

    let high: UInt64
    let low: UInt64

    init(number: Int) {
        high = SplitMix64.mix(UInt64(number) &* 2 &+ 0x243F_6A88_85A3_08D3)
        low = SplitMix64.mix(UInt64(number) &* 2 &+ 0x243F_6A88_85A3_08D4)
    }
}
