import Glibc
import TestSupport
import Testing

/// The real viewer in tmux, driven through all that a person does with it.
@Suite struct DrivenViewerTests {
    private static let needs = ["/usr/bin/tmux", "/usr/bin/pgrep"]
    private static let hasAll = needs.allSatisfy { access($0, X_OK) == 0 } && PlainPython.path != nil

    @Test(
        "from start to quit it does what it is told, and leaves the terminal as it was",
        .enabled(if: hasAll, "No tmux, pgrep or python3: make test installs them where it can."))
    func drive() throws {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let programs = builtProgram("jokes-tui").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let result = try ChildProcess.run(
            PlainPython.checkout("Tests/Viewer/drive"), [programs],
            environment: ["PATH": path, "LANG": "C.UTF-8", "HOME": "/"], Deadline(after: .seconds(600)))
        #expect(result.ending == .exited(0), "\(result.output)\n\(result.errors)")
    }
}
