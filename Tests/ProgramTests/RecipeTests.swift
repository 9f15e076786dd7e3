import Glibc
import TestSupport
import Testing
import Unix

/// The recipes of docs/jokesctl.md, run as they stand there, with a joke that a shell must not get hold of.
@Suite struct RecipeTests {
    private static let text = "It's \"one\" <b>duck</b> & $(touch caught) `touch caught` \\o/."

    private struct Recipe {
        /// Words of its line.
        let words: String
        /// What a person or a shell does next.
        var next = ""
        /// What is printed then, or a part of it.
        let printed: String
    }

    private static let recipes = [
        Recipe(words: "random --quiet", printed: text + "\n"),
        Recipe(words: "PROMPT_COMMAND=", next: #"eval "$PROMPT_COMMAND""#, printed: text + "\n"),
        Recipe(words: "eval", next: #"printf '%s.' "$setup""#, printed: text + "."),
        Recipe(words: "fzf", printed: text + "\n"),
        Recipe(words: "<li>", printed: "<li>It&apos;s &quot;one&quot; &lt;b&gt;duck&lt;/b&gt; &amp; $(touch caught)"),
        Recipe(
            words: "notify-send", printed: "-- Joke It&apos;s &quot;one&quot; &lt;b&gt;duck&lt;/b&gt; &amp; $(touch"),
        Recipe(words: "jq", printed: "broken: "),
    ]

    private func page() throws -> [String] {
        let page = try contentsOfFile(PlainPython.checkout("docs/jokesctl.md"), limit: 1 << 20)
        let lines = String(decoding: page, as: UTF8.self).split(separator: "\n").drop { $0 != "## Recipes" }
        return lines.filter { $0.hasPrefix("    ") && !$0.hasPrefix("    #") }.map { String($0.dropFirst(4)) }
    }

    @Test(
        "each recipe does what it says, and nothing that a joke says is done",
        .enabled(if: access("/usr/bin/jq", X_OK) == 0, "There is no jq: make test installs one."))
    func all() async throws {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write(Self.text + "\n", to: "f")
        // No starter jokes pass, and the second source fails.
        let told = #"{"name": "mine", "type": "fortune", "path": "\#(file)", "safety": "safe", "language": "la"}"#
        let broken = fortuneSource("/nowhere", name: "broken")
        try daemon.reload(#"{"sources": [\#(told), \#(broken)], "filter": {"languages": ["la"]}}"#)
        try await daemon.waitForSyncs()
        let id = try #require(try daemon.json("list", as: [PrintedJoke].self).first?.id)
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        let tools = try tools(in: daemon.folder)
        let lines = try page()
        #expect(lines.count == Self.recipes.count)
        for (line, recipe) in zip(lines, Self.recipes) {
            try #require(line.contains(recipe.words), "\(line)")
            // One of them goes on until somebody ends it.
            let shell = try ChildProcess(
                "/usr/bin/setsid", ["/bin/bash", "-c", "cd '\(daemon.folder.path)'\n\(line)\n\(recipe.next)"],
                environment: ["PATH": "\(tools):/usr/bin:/bin", "JOKESD_SOCKET": daemon.socket])
            // What it has in a pipeline would go on without it.
            defer { kill(-shell.pid, SIGKILL) }
            try shell.output.waitFor(recipe.printed)
            #expect(shell.errors.text.isEmpty, "\(line): \(shell.errors.text)")
        }
        #expect(access(daemon.folder.path("caught"), F_OK) != 0)
    }

    /// jokesctl, and stand-ins for what is not on every machine.
    private func tools(in folder: TemporaryFolder) throws -> String {
        let tools = folder.path("tools")
        try makeFolder(tools, mode: 0o700)
        try #require(symlink(builtProgram("jokesctl"), "\(tools)/jokesctl") == 0)
        for (name, command) in [("fzf", "head -n 1"), ("notify-send", #"printf '%s\n' "$*""#)] {
            try folder.write("#!/bin/sh\n\(command)\n", to: "tools/\(name)")
            try #require(chmod("\(tools)/\(name)", 0o700) == 0)
        }
        return tools
    }
}
