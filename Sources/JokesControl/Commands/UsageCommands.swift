import JokesClient
import JokesProtocol
import Unix
import Varlink

extension Command {
    static let help = Command(
        "help", .usage, operands: .command, "Show help for jokesctl or for a command",
        notes: "'jokesctl help formats' describes FORMAT, the exit codes and the environment variables.",
        examples: ["jokesctl help random", "jokesctl help formats"]
    ) { invocation in
        let page = try invocation.operands.first.map { try HelpPage.named($0) } ?? HelpPage.general
        return try say(page, in: invocation.printer.pager)
    }

    static let completions = Command(
        "completions", .usage, operands: .shell, "Print the completion script for bash, zsh or fish",
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
        let scripts: [Shell: String] = [
            .bash: BashCompletion.script, .zsh: ZshCompletion.script, .fish: FishCompletion.script,
        ]
        return try say(Shell(rawValue: invocation.operands[0]).flatMap { scripts[$0] } ?? "")
    }

    /// Answers completion scripts, without errors. A tab and an ellipsis follow a prefix of several IDs.
    static let complete = Command(
        "complete", .hidden, operands: .suggestion, "Print completions of a word, one per line"
    ) { invocation in
        guard let kind = SuggestionKind(rawValue: invocation.operands[0]) else { return ExitStatus.done }
        for line in suggestions(kind, invocation.operands[1], invocation.connector.paths) {
            try invocation.printer.output.append(line + "\n")
        }
        try invocation.printer.output.flush()
        return ExitStatus.done
    }

    /// Returns the suggestions of the first daemon that answers in time.
    private static func suggestions(_ kind: SuggestionKind, _ prefix: String, _ paths: [String]) -> [String] {
        let end = BootInstant.now.advanced(by: .milliseconds(150))
        let client = try? connectToFirst(of: paths, within: BootInstant.now.duration(to: end))
        func words(beginningWith prefix: String, limit: Int? = nil) -> [String]? {
            let reply = try? client?.call(
                SuggestMethod.fullName, SuggestMethod.Parameters(what: kind, prefix: prefix, limit: limit),
                returning: SuggestMethod.Reply.self, timeout: BootInstant.now.duration(to: end))
            return reply?.words
        }
        let plain = (words(beginningWith: prefix) ?? []).filter(\.isPlainWord)
        // For hidden jokes, each request reads all of them.
        guard [.id, .favorite].contains(kind) else { return plain }
        // If there are too many IDs, the daemon returns prefixes. A second request tells them from IDs; without time
        // for it, a word counts as an ID.
        return plain.map { word in
            words(beginningWith: word, limit: 1).map { $0 == [word] } ?? true ? word : "\(word)\t\u{2026}"
        }
    }

    /// Prints a text of this program, in the pager if it is long.
    static func say(_ text: String, in pager: Pager? = nil) throws -> Int32 {
        func plainly() throws { try writeFully(text + "\n", to: standardOutput) }
        if let pager { try pager.show(text + "\n", plainly: plainly) } else { try plainly() }
        return ExitStatus.done
    }
}
