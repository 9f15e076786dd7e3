import Glibc

/// The percentage of the full number of cases that this run checks: `JOKESD_TEST_SCALE`, or 10 if it is not set.
///
/// 10 is the fast tier (`make test`), 100 the slow tier (`make test-slow`), and 1000 is for `make torture`.
package let testScale: Int = {
    guard let text = getenv("JOKESD_TEST_SCALE").map({ String(cString: $0) }), !text.isEmpty else { return 10 }
    let scale = Int(text)
    precondition(scale.map { $0 > 0 } == true, "JOKESD_TEST_SCALE is not a percentage: \(text)")
    return scale ?? 10
}()

/// True if this run includes the tests that are too slow for every change.
///
/// Such a test has the trait `.enabled(if: isSlowTier, "slow tier")`; `scripts/run-tests` searches for the words "slow tier".
package let isSlowTier = testScale >= 100

/// Returns `testScale` percent of `count`, but at least `minimum`.
package func scaled(_ count: Int, atLeast minimum: Int = 1) -> Int {
    max(count * testScale / 100, min(minimum, count))
}
