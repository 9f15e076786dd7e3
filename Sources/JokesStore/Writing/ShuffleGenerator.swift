/// Random numbers to shuffle jokes with: SplitMix64 from a seed of the system's, whose every number is a system call.
///
/// Nobody gains by guessing which joke comes next.
package struct ShuffleGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Seeds itself with a number of the system's.
    package init() {
        state = .random(in: .min ... .max)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
