import CommandLineTools
import JokesCore
import JokesProtocol

/// The operands of a command.
enum Operands: Hashable, Sendable {
    case none
    /// A joke of this kind: its ID or a prefix.
    case id(SuggestionKind)
    /// One joke or more.
    case ids(SuggestionKind)
    case sources
    case source
    case words
    case file
    case shell
    case command
    /// A kind and a prefix, for completion scripts.
    case suggestion

    /// The form in the help, such as `ID...`.
    var synopsis: String {
        switch self {
        case .none: ""
        case .id: "ID"
        case .ids: "ID..."
        case .sources: "[SOURCE...]"
        case .source: "SOURCE"
        case .words: "WORD..."
        case .file: "FILE"
        case .shell: "SHELL"
        case .command: "[COMMAND]"
        case .suggestion: "KIND PREFIX"
        }
    }

    var count: ClosedRange<Int> {
        switch self {
        case .none: 0...0
        case .id, .source, .file, .shell: 1...1
        case .ids: 1...1000
        case .sources: 0...100
        case .words: 1...100
        case .command: 0...1
        case .suggestion: 2...2
        }
    }

    /// The values that an operand may have.
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

    /// The missing operand in a message.
    private var noun: String {
        switch self {
        case .id: "an ID"
        case .ids: "at least one ID"
        case .words: "words to search for"
        case .source: "the name of a source"
        case .file: "a FILE"
        case .shell: "a shell: \(Shell.allCases.map(\.rawValue).joinedAsWords("or"))"
        case .none, .sources, .command, .suggestion: synopsis
        }
    }

    /// The hint that helps to find the operand.
    private var source: String? {
        switch self {
        case .id(.favorite), .ids(.favorite): "Try: jokesctl favorites"
        case .id(.hidden), .ids(.hidden):
            "Press Tab to complete the ID of a hidden joke. Try: jokesctl help completions"
        case .id, .ids: "Try: jokesctl list"
        case .command: "Try: jokesctl help"
        case .source: "Try: jokesctl doctor"
        case .none, .sources, .words, .file, .shell, .suggestion: nil
        }
    }

    /// - Throws: `ControlFailure` for a wrong number of operands, and for an invalid one.
    func check(_ words: [String], of command: Command) throws(ControlFailure) {
        if words.count < count.lowerBound {
            throw .usage("command '\(command.name)' needs \(noun)", hint: source ?? command.hint)
        }
        if words.count > count.upperBound {
            throw .usage(
                count.upperBound > 1
                    ? "command '\(command.name)' takes at most \(count.upperBound) arguments"
                    : "unexpected argument '\(words[count.upperBound])'", hint: command.hint)
        }
        try checkContents(words, of: command)
        if case .oneOf(let choices) = value, let stranger = words.first(where: { !choices.contains($0) }) {
            throw .usage(
                self == .shell
                    ? "unknown shell '\(stranger)': use \(choices.joinedAsWords("or"))"
                    : "unknown command '\(stranger)'",
                suggestion: nearMiss(of: stranger, among: choices), hint: source ?? command.hint)
        }
    }

    /// An empty word usually comes from an unset variable.
    private func checkContents(_ words: [String], of command: Command) throws(ControlFailure) {
        switch self {
        case .words:
            let query = words.joined(separator: " ")
            if query.allSatisfy(\.isWhitespace) {
                throw .usage("command '\(command.name)' needs \(noun)", hint: command.hint)
            }
            if query.utf8.count > View.longestQuery {
                throw .usage(
                    "the search is longer than \(View.longestQuery) bytes", hint: "Search for fewer words.")
            }
        case .id, .ids, .sources, .source, .file:
            if words.contains("") {
                throw .usage("empty argument for command '\(command.name)'", hint: source ?? command.hint)
            }
        case .none, .shell, .command, .suggestion: return
        }
    }
}
