import JokesProtocol
import Unix

/// What completion scripts are made of: the table of commands, as far as somebody may type it.
enum CompletionTable {
    /// All that the help lists.
    static let commands = Command.all.filter { $0.group != .hidden }

    /// The options that take an argument, with all their spellings: `--limit` and `-n`.
    static func spellings(of option: CommandOption) -> [String] {
        (option.specification.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
    }
}

extension Operands {
    /// What one of them may be.
    var value: OptionValue {
        switch self {
        case .id(let kind), .ids(let kind): .known(kind)
        case .sources: .known(.source)
        case .file: .file
        case .shell: .oneOf(Shell.allCases.map(\.rawValue))
        case .command: .oneOf(CompletionTable.commands.map(\.name))
        case .none, .words, .suggestion: .text
        }
    }
}

extension OptionValue {
    /// What can be offered of it: a template is for people to write.
    var offered: OptionValue {
        guard case .format(let builtIn) = self else { return self }
        return builtIn.isEmpty ? .text : .oneOf(builtIn)
    }
}

extension String {
    /// In single quotes, as bash and zsh read them.
    var quotedForShell: String {
        "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
}
