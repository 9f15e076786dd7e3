import Glibc
import TestSupport
import Testing
import Unix

/// The real viewer in real terminals.
@Suite(.enabled(if: isSlowTier, "slow tier"))
struct DrivenViewerTests {
    @Test(
        "in tmux, the viewer obeys keys and the mouse, and restores the terminal after each stop and signal",
        .enabled(if: hasAll(["tmux", "pgrep"]), "No tmux, pgrep or python3: make test installs them where it can."))
    func tmux() throws {
        try drive([])
    }

    @Test(
        "in a window, the viewer does so too, and screenshots are taken",
        .enabled(
            if: hasAll(["Xvfb", "xterm", "xdotool", "import", "pgrep"]),
            "No Xvfb, xterm, xdotool, import, pgrep or python3: make test installs them where it can."))
    func window() throws {
        let folder = try TemporaryFolder()
        try drive([folder.path("screenshots")])
        for screenshot in ["01-away.png", "02-start.png"] {
            let bytes = try contentsOfFile(folder.path("screenshots/\(screenshot)"), limit: 10_000_000)
            #expect(bytes.starts(with: [0x89] + Array("PNG\r\n\u{1A}\n".utf8)))
        }
    }

    private static func hasAll(_ programs: [String]) -> Bool {
        programs.allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 } && SystemPython.path != nil
    }

    private func drive(_ arguments: [String]) throws {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let programs = builtProgram("jokes-tui").split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let result = try ChildProcess.run(
            SystemPython.checkoutPath("Tests/Viewer/drive"), [programs] + arguments,
            environment: ["PATH": path, "LANG": "C.UTF-8", "HOME": "/"], Deadline(after: .seconds(600)))
        #expect(result.ending == .exited(0), "\(result.output)\n\(result.errors)")
    }
}
