import TestSupport
import Testing

@Suite struct ManualTests {
    @Test(
        "the tables of the manual pages are those of the help",
        .enabled(if: PlainPython.path != nil, "\(PlainPython.absence)"))
    func current() throws {
        let programs = builtProgram("jokesd").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let result = try ChildProcess.run(
            try #require(PlainPython.path), [PlainPython.checkout("scripts/generate-manual"), "--check", programs])
        #expect(result.ending == .exited(0), "\(result.output)\n\(result.errors)")
    }
}
