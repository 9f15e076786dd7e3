import KillTorture
import TestSupport
import Testing

/// The short form of `make torture`.
@Suite struct KillTests {
    @Test(
        "killed at any moment, it loses nothing that it acknowledged, stores no batch by half, and starts again",
        .enabled(if: isSlowTier, "slow tier"))
    func killed() throws {
        var torture = Torture(kills: 200, seed: testSeed, longestLife: .milliseconds(250))
        let figures = try torture.run()
        #expect(figures.kills == 200 && figures.worlds == 8)
        #expect(figures.acknowledged > 0 && figures.marksChecked > 0 && figures.batchesThere > 0)
    }
}
