import Glibc
import Unix

/// The pseudorandom number generator SplitMix64 of Steele, Lea and Flood (2014), for any 64-bit seed.
///
/// The same seed gives the same numbers on every machine. The numbers are predictable, so not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator whose numbers depend only on `seed`.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns true with the probability `numerator / denominator`.
    package mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
        Int.random(in: 0..<denominator, using: &self) < numerator
    }

    /// Returns a random number in `range`.
    package mutating func int(in range: Range<Int>) -> Int {
        Int.random(in: range, using: &self)
    }
}

/// The seed of this run's random cases: `JOKESD_TEST_SEED` (decimal, or hexadecimal with `0x`) if it is set, otherwise
/// a new number for each process.
package let testSeed: UInt64 = {
    guard let text = getenv("JOKESD_TEST_SEED").map({ String(cString: $0) }), !text.isEmpty else {
        return .random(in: .min ... .max)
    }
    let seed = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    precondition(seed != nil, "JOKESD_TEST_SEED is not a 64-bit number: \(text)")
    return seed ?? 0
}()

/// The error for a violated property. `checkProperty` adds the seed and the smallest failing case.
package struct BrokenProperty: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error with this description.
    package init(_ description: String) {
        self.description = description
    }
}

/// Checks a condition of a property.
///
/// - Throws: `BrokenProperty` with `message` if the condition is false.
package func verify(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw BrokenProperty(message()) }
}

/// Checks a property on random cases of increasing size up to `maxSize`.
///
/// Every case has its own generator, derived from `testSeed` and its number, so that a failing case does not shift the
/// others. A failing case is shrunk before it is reported.
///
/// - Parameters:
///   - name: The name of the property in the error.
///   - cases: The number of cases at a `testScale` of 100 percent.
///   - minimum: The minimum number of cases at any scale, if `cases` is not smaller.
///   - maxSize: The size passed to `generate` for the last case.
///   - generate: Returns a case of about the given size.
///   - shrink: Returns simpler variants of a case, most promising first. All must be valid cases.
///   - property: Throws if the case violates the property.
/// - Throws: `BrokenProperty` with the seed and the smallest failing case.
package func checkProperty<Case>(
    _ name: String,
    cases: Int = 2_000,
    atLeast minimum: Int = 1,
    maxSize: Int = 16,
    generate: (inout SplitMix64, _ size: Int) -> Case,
    shrink: (Case) -> [Case] = { _ in [] },
    property: (Case) throws -> Void
) throws {
    let cases = scaled(cases, atLeast: minimum)
    for number in 0..<cases {
        var random = SplitMix64(seed: testSeed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        let candidate = generate(&random, max(1, (number + 1) * maxSize / cases))
        guard let reason = failure(of: property, on: candidate) else { continue }
        let smallest = smallestFailure(from: candidate, reason: reason, shrink: shrink, property: property)
        throw BrokenProperty(
            """
            \(name): broken by case \(number) of \(cases); JOKESD_TEST_SEED=\(testSeed) repeats it.
            smallest failing case: \(smallest.value)
            reason: \(smallest.reason)
            """)
    }
}

private func failure<Case>(of property: (Case) throws -> Void, on candidate: Case) -> String? {
    do {
        try property(candidate)
        return nil
    } catch {
        return "\(error)"
    }
}

/// Shrinks a failing case: continues with the first simpler variant that still fails.
///
/// Stops after 20,000 attempts, because the variants of `shrink` may form a cycle.
private func smallestFailure<Case>(
    from candidate: Case, reason: String, shrink: (Case) -> [Case], property: (Case) throws -> Void
) -> (value: Case, reason: String) {
    var smallest = (value: candidate, reason: reason)
    var attempts = 20_000
    var improved = true
    while improved && attempts > 0 {
        improved = false
        for simpler in shrink(smallest.value) where attempts > 0 {
            attempts -= 1
            guard let reason = failure(of: property, on: simpler) else { continue }
            smallest = (simpler, reason)
            improved = true
            break
        }
    }
    return smallest
}

/// Checks the properties of a fuzz program for its corpus, and for random bytes.
///
/// - Throws: `BrokenProperty` with the name of the file or the seed.
package func checkFuzzProperties(of program: String, _ property: ([UInt8]) throws -> Void) throws {
    let folder = SystemPython.checkoutPath("Tests/\(program)/Corpus")
    let names = try namesInFolder(folder)
    try verify(!names.isEmpty, "\(folder) is empty")
    for name in names {
        let bytes = try contentsOfFile("\(folder)/\(name)", limit: 1 << 20)
        if let reason = failure(of: property, on: bytes) { throw BrokenProperty("\(name): \(reason)") }
    }
    try checkProperty(
        "bytes", cases: 500, maxSize: 256,
        generate: { random, size in (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) } },
        shrink: { bytes in bytes.indices.map { Array(bytes[..<$0] + bytes[($0 + 1)...]) } },
        property: property)
}
