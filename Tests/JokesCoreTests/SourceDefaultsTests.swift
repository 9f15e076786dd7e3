import JokesCore
import Testing

@Suite struct SourceDefaultsTests {
    private typealias Case = (stated: Safety, flags: JokeFlags, type: Safety, configured: Safety?, safety: Safety)

    /// Each rule, with the values that it overrides.
    private static let cases: [Case] = [
        (.unknown, [], .unknown, nil, .unknown), (.unknown, [], .safe, nil, .safe),
        (.unknown, [], .safe, .unsafe, .unsafe),
        (.unknown, [], .unknown, .safe, .safe), (.unknown, [], .safe, .unknown, .unknown),
        (.safe, [], .unknown, nil, .safe), (.safe, [], .unknown, .safe, .safe), (.safe, [], .safe, .unsafe, .unsafe),
        (.safe, [], .safe, .unknown, .unknown), (.unsafe, [], .safe, nil, .unsafe),
        (.unsafe, [], .safe, .safe, .unsafe),
        (.unsafe, [], .safe, .unknown, .unsafe), (.safe, .nsfw, .safe, .safe, .unsafe),
        (.unknown, .other, .safe, .safe, .unsafe),
    ]

    @Test(
        "the least safe of rating, flags and configuration applies, and a source cannot rate itself safe",
        arguments: cases.indices)
    func safety(_ index: Int) {
        let (stated, flags, type, configured, safety) = Self.cases[index]
        let defaults = SourceDefaults(safety: type, configuredSafety: configured)
        let content = JokeContent(text: .single("Ha."), flags: flags, safety: stated)
        #expect(defaults.applied(to: content).safety == safety)
    }

    @Test("the configured language applies to jokes without one")
    func language() {
        let defaults = SourceDefaults(language: "de")
        #expect(defaults.applied(to: JokeContent(text: .single("Ha."))).language == "de")
        #expect(defaults.applied(to: JokeContent(text: .single("Ha."), language: "en")).language == "en")
    }
}
