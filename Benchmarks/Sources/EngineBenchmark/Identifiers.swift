import FoundationEssentials

/// A kind of identifier that the workloads are measured with.
protocol BenchmarkIdentifier: Hashable, Sendable {
    /// What the report calls it.
    static var kind: String { get }
    /// The identifier of the element with this number: always the same, in storage of its own, and for neighbouring
    /// numbers as different as for any others.
    init(number: Int)
}

extension UUID: BenchmarkIdentifier {
    static var kind: String { "uuid" }

    init(number: Int) {
        let bits = Bits(number: number)
        self = withUnsafeBytes(of: (bits.high, bits.low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// An identifier that is nothing but its bits.
struct Bits: BenchmarkIdentifier {
    static var kind: String { "bits" }

    let high: UInt64
    let low: UInt64

    init(number: Int) {
        high = SplitMix64.mix(UInt64(number) &* 2 &+ 0x243F_6A88_85A3_08D3)
        low = SplitMix64.mix(UInt64(number) &* 2 &+ 0x243F_6A88_85A3_08D4)
    }
}
