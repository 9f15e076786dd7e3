import Glibc
import TestSupport
import Testing
import Unix

/// The lines of the README for a joke above each prompt, in real shells.
@Suite struct PromptTests {
    /// Returns the lines of the README after a comment with the name of a file.
    private func recipe(_ file: String) throws -> String {
        let page = String(decoding: try contentsOfFile("README.md", limit: 1 << 20), as: UTF8.self)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "# \(file)" })
        return lines[(start + 1)...].prefix { !$0.hasPrefix("#") && $0 != "```" }.joined(separator: "\n") + "\n"
    }

    /// Types lines into an interactive shell with these settings, and returns what it prints.
    private func printed(_ shell: String, _ options: [String], _ settings: String, at path: String, _ typed: String)
        async throws -> String
    {
        let daemon = try DaemonUnderTest()
        try await daemon.waitForSyncs()
        let program = "#!/bin/sh\nexec \(builtProgram("jokesctl")) --socket \(daemon.socket) \"$@\"\n"
        let command = try daemon.folder.write(program, to: "jokesctl")
        #expect(chmod(command, 0o755) == 0)
        try daemon.folder.write(settings, to: path)
        let result = try ChildProcess.run(
            shell, options.map { $0.replacing("RC", with: daemon.folder.path(path)) },
            environment: [
                "PATH": "\(daemon.folder.path):/usr/bin:/bin", "HOME": daemon.folder.path, "TERM": "dumb",
                "ZDOTDIR": daemon.folder.path, "XDG_CONFIG_HOME": daemon.folder.path,
            ], input: daemon.folder.write(typed, to: "typed"))
        #expect(result.ending == .exited(0), "\(result)")
        return result.output
    }

    @Test(
        "in bash, a joke is above each prompt, other commands of the prompt stay, and they see the status",
        arguments: [
            "", "PROMPT_COMMAND='echo mine:$?;'", "PROMPT_COMMAND=('echo mine:$?' 'echo second:$?')",
        ])
    func bash(before: String) async throws {
        let recipe = try recipe("~/.bashrc")
        // A file that is read twice adds one joke.
        let settings = "\(before)\n\(recipe)\(recipe)"
        let output = try await printed(
            "/bin/bash", ["--rcfile", "RC", "-i"], settings, at: "bashrc", "false\n(exit 7)\nexit 0\n")
        let lines = output.split(separator: "\n")
        #expect(lines.count { !$0.hasPrefix("mine:") && !$0.hasPrefix("second:") } == 3, "\(output)")
        if !before.isEmpty { #expect(lines.filter { $0.hasPrefix("mine:") } == ["mine:0", "mine:1", "mine:7"]) }
        if before.contains("second") { #expect(lines.count { $0.hasPrefix("second:") } == 3) }
    }

    @Test(
        "in zsh, a joke is above each prompt, and an earlier precmd stays",
        .enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"))
    func zsh() async throws {
        let settings = "precmd() { print mine:$? }\n" + (try recipe("~/.zshrc"))
        let output = try await printed("/usr/bin/zsh", ["-i"], settings, at: ".zshrc", "false\n(exit 7)\nexit 0\n")
        let lines = output.split(separator: "\n").filter { !$0.hasPrefix("mine:") }
        #expect(lines.count == 3 && output.contains("mine:0\n") && output.contains("mine:7\n"), "\(output)")
    }
}
