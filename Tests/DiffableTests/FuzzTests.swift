import DiffableFuzz
import TestSupport
import Testing

@Suite struct FuzzTests {
    @Test("the properties of `make fuzz` hold for a small corpus and for random bytes")
    func properties() throws {
        try checkFuzzProperties(of: "DiffableFuzz", holdDiffableProperties)
    }
}
