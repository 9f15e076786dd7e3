import Glibc
import TestSupport
import Testing
import Unix

/// The lines of the documents for a joke at login and above each prompt, in real shells.
@Suite struct PromptTests {
    /// Returns the lines of a page after a comment with the name of a file.
    private func recipe(_ file: String, of page: String = "README.md") throws -> String {
        let page = String(decoding: try contentsOfFile(page, limit: 1 << 20), as: UTF8.self)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "# \(file)" })
        return lines[(start + 1)...].prefix { !$0.hasPrefix("#") && $0 != "```" }.joined(separator: "\n") + "\n"
    }

    /// Starts a shell in a pseudo terminal with these settings, whose prompt shows `$?`. Types commands that end with 1 and
    /// 7, and returns what the shell prints before each of the three prompts.
    private func prompts(_ shell: String, _ options: [String], _ settings: String, at path: String) async throws
        -> [String]
    {
        let daemon = try DaemonUnderTest()
        try await daemon.waitForSyncs()
        let folder = daemon.folder
        let program = "#!/bin/sh\nprintf joke:\nexec \(builtProgram("jokesctl")) --socket \(daemon.socket) \"$@\"\n"
        #expect(chmod(try folder.write(program, to: "jokesctl"), 0o755) == 0)
        try makeFolder(folder.path("fish"), mode: 0o700)
        let file = try folder.write(settings, to: path)
        let terminal = try PseudoTerminal(columns: 200, rows: 24)
        // Bash writes the prompt to standard error.
        let process = try ChildProcess(
            "/bin/sh",
            ["-c", #"exec "$@" 2>&1"#, "sh", shell] + options.map { $0.replacing("RC", with: file) } + ["-i"],
            environment: [
                "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path, "TERM": "dumb", "ZDOTDIR": folder.path,
                "XDG_CONFIG_HOME": folder.path,
            ], terminal: terminal)
        var printed = [try terminal.read(until: "<0>")]
        for (command, status) in [("false", 1), ("sh -c 'exit 7'", 7)] {
            try terminal.type("\(command)\r")
            printed.append(try terminal.read(until: "<\(status)>"))
        }
        try terminal.type("exit 0\r")
        #expect(try process.waitForEnd() == .exited(0))
        return printed
    }

    /// Checks that a joke is above each prompt, and that earlier commands of the prompt print these words and `$?`.
    private func check(_ printed: [String], earlier words: [String]) {
        for (text, status) in zip(printed, [0, 1, 7]) {
            #expect(text.matches(of: /joke:\S/).count == 1, "\(text.debugDescription)")
            for word in words {
                #expect(text.ranges(of: "\(word):\(status)\r\n").count == 1, "\(text.debugDescription)")
            }
        }
    }

    @Test(
        "in bash, a joke is above each prompt, other commands of the prompt stay, and all see the status",
        arguments: [
            ("", []), ("PROMPT_COMMAND='echo mine:$?;'", ["mine"]),
            ("PROMPT_COMMAND=('echo mine:$?' 'echo second:$?')", ["mine", "second"]),
        ])
    func bash(before: String, words: [String]) async throws {
        let recipe = try recipe("~/.bashrc")
        // A file that is read twice adds one joke.
        let settings = "PS1='<$?> '\n\(before)\n\(recipe)\(recipe)"
        check(try await prompts("/bin/bash", ["--rcfile", "RC"], settings, at: "bashrc"), earlier: words)
    }

    @Test(
        "in zsh, a joke is above each prompt, an earlier precmd stays, and both see the status",
        .enabled(if: access("/usr/bin/zsh", X_OK) == 0, "There is no zsh: make test installs it."))
    func zsh() async throws {
        let settings = "PS1='<%?> '\nprecmd() { print mine:$? }\n" + (try recipe("~/.zshrc"))
        check(try await prompts("/usr/bin/zsh", [], settings, at: ".zshrc"), earlier: ["mine"])
    }

    @Test(
        "in fish, a joke is above each prompt, an earlier function stays, and both see the status",
        .enabled(if: access("/usr/bin/fish", X_OK) == 0, "There is no fish: make test installs it."))
    func fish() async throws {
        let settings = """
            function fish_prompt; printf '<%s> ' $status; end
            function mine --on-event fish_prompt; echo mine:$status; end

            """
        let file = "fish/config.fish"
        check(
            try await prompts("/usr/bin/fish", [], settings + recipe("~/.config/fish/config.fish"), at: file),
            earlier: ["mine"])
    }

    @Test("at login, a joke is printed only by an interactive shell on a terminal, so that scp and rsync work")
    func login() throws {
        let folder = try TemporaryFolder()
        let recipe = try recipe("bash: ~/.profile; zsh: ~/.zprofile", of: "docs/jokesctl.md")
        try folder.write("jokesctl() { echo joke:; }\n\(recipe)echo end\n", to: ".profile")
        for (options, onTerminal, isPrinted) in [
            (["-i"], true, true), (["-c", ":"], true, false), (["-i", "-c", ":"], false, false),
        ] {
            let terminal = try PseudoTerminal(columns: 80, rows: 24)
            let process = try ChildProcess(
                "/bin/bash", ["-l"] + options, environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"],
                terminal: onTerminal ? terminal : nil)
            if onTerminal {
                #expect(try terminal.read(until: "end").contains("joke:") == isPrinted)
            } else {
                try process.waitForEnd()
                #expect(process.output.text == "end\n")
            }
        }
    }
}
