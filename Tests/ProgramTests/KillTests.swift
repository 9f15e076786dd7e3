import KillTorture
import TestSupport
import Testing

/// The short form of `make torture`.
@Suite struct KillTests {
    @Test(
        "a daemon that is killed at any moment loses no acknowledged change, stores no partial batch, and starts again",
        .enabled(if: isSlowTier, "slow tier"))
    func killed() throws {
        var torture = Torture(kills: 200, seed: testSeed, longestLife: .milliseconds(250))
        let figures = try torture.run()
        #expect(figures.kills == 200 && figures.worlds == 8)
        #expect(figures.acknowledged > 0 && figures.marksChecked > 0 && figures.batchesThere > 0)
    }
}
