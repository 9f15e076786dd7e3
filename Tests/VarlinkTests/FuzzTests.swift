import TestSupport
import Testing
import VarlinkFuzz

@Suite struct VarlinkFuzzTests {
    @Test("the bytes of a small corpus and random bytes break no property of `make fuzz`")
    func properties() throws {
        try checkFuzzProperties(of: "VarlinkFuzz", checkVarlinkProperties)
    }
}
