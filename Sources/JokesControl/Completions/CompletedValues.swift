import CommandLineTools
import JokesProtocol

extension CommandOption {
    /// As it is written, `-n` and `--limit`.
    var spellings: [String] {
        (specification.letter.map { ["-\($0)"] } ?? []) + ["--\(name)"]
    }
}

extension Operands {
    /// What one of them may be.
    var value: OptionValue {
        switch self {
        case .id(let kind), .ids(let kind): .known(kind)
        case .sources, .source: .known(.source)
        case .file: .file
        case .shell: .oneOf(Shell.allCases.map(\.rawValue))
        case .command: .oneOf(Command.listed.map(\.name) + HelpPage.topics)
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
