import CommandLineTools
import JokesClient
import JokesProtocol
import Unix

extension Command {
    static let help = Command(
        name: "help", group: .usage, operands: .command, summary: "Show help for jokesctl or for a command",
        notes: "'jokesctl help formats' describes FORMAT, the exit codes and the environment variables.",
        examples: ["jokesctl help random", "jokesctl help formats"]
    ) { invocation in
        let name = invocation.operands.joined(separator: " ")
        let page = name.isEmpty ? HelpPage.general : try HelpPage.named(name)
        try JokesControl.print(page, in: invocation.printer.pager)
    }

    static let completions = Command(
        name: "completions", group: .usage, operands: .shell,
        summary: "Print the completion script for bash, zsh or fish",
        notes: """
            The script asks the daemon for IDs, sources, categories and languages. To load the script in every shell,
            save it as:

              bash  ~/.local/share/bash-completion/completions/jokesctl
              zsh   _jokesctl in a folder of $fpath
              fish  ~/.config/fish/completions/jokesctl.fish

            The bash file needs the package bash-completion, and the zsh file needs compinit. Instead of saving a file,
            you can add one of these lines to ~/.bashrc, or to ~/.zshrc after compinit:

              eval "$(jokesctl completions bash)"
              eval "$(jokesctl completions zsh)"
            """,
        examples: [
            #"eval "$(jokesctl completions bash)""#,
            "jokesctl completions fish >~/.config/fish/completions/jokesctl.fish",
        ]
    ) { invocation in
        try writeFully(Shell(rawValue: invocation.operands[0])?.completionScript ?? "", to: standardOutput)
    }

    static let version = Command(
        name: "version", group: .usage, summary: "Print the version",
        notes: "'jokesctl status' prints the version of the daemon.",
        examples: ["jokesctl version", "jokesctl version | cut -d ' ' -f 2"]
    ) { _ in
        try JokesControl.print(JokesControl.version)
    }

    /// The command for a command line without a command: a short usage, and the state of the daemon.
    static let overview = Command(
        name: "", group: .hidden, summary: "Print a short usage and the state of the daemon"
    ) { invocation in
        let printer = invocation.printer
        if printer.isJSON { throw UsageError("no command given") }
        invocation.daemon.timeout = .seconds(2)
        let state: String
        do throws(ClientError) {
            state = try invocation.daemon.call(StatusMethod.self, NoParameters()).inOneLine(now: printer.now)
        } catch {
            if case .noAddress = error { throw error }
            let failure = ControlFailure(error, socket: invocation.socket)
            state = [failure.message, failure.hint].compactMap(\.self).joined(separator: "\n")
        }
        try printer.output.append("\(HelpPage.short)\n\n")
        try printer.paragraph("jokesd: \(state)")
        try printer.output.flush()
    }

    /// Answers completion scripts; see `Completion`.
    static let complete = Command(
        name: "complete", group: .hidden, operands: .commandLine,
        summary: "Print completions of the last word, one per line"
    ) { invocation in
        let words = invocation.operands
        let completion = Completion(after: words.dropLast(), socket: invocation.socket)
        for line in completion.lines(completing: words.last ?? "") {
            try invocation.printer.output.append(line + "\n")
        }
        try invocation.printer.output.flush()
    }
}
