import TestSupport
import Testing

@Suite struct ManualTests {
    @Test(
        "the tables of the manual pages are those of the help",
        .enabled(if: SystemPython.path != nil, "\(SystemPython.skipReason)"))
    func current() throws {
        let programs = builtProgram("jokesd").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let result = try ChildProcess.run(
            try #require(SystemPython.path),
            [SystemPython.checkoutPath("scripts/generate-manual"), "--check", programs])
        #expect(result.ending == .exited(0), "\(result.output)\n\(result.errors)")
    }
}
