import CommandLineTools
import JokesCore
import JokesProtocol
import TextLayout

/// The operands of a command.
struct Operands: Hashable, Sendable {
    /// The form in the help, such as `ID...`.
    let synopsis: String
    let count: ClosedRange<Int>
    let value: OptionValue
    /// The missing operand in a message.
    private let noun: String
    /// The hint that helps to find the operand.
    private let hint: String?

    private init(
        _ synopsis: String, _ count: ClosedRange<Int>, _ value: OptionValue = .text, noun: String = "",
        hint: String? = nil
    ) {
        (self.synopsis, self.count, self.value, self.noun, self.hint) = (synopsis, count, value, noun, hint)
    }

    static let none = Operands("", 0...0)
    static let sources = Operands("[SOURCE...]", 0...100, .known(.source))
    static let source = Operands(
        "SOURCE", 1...1, .known(.source), noun: "the name of a source", hint: "Try: jokesctl sources")
    static let removedSource = Operands(
        "SOURCE", 1...1, .known(.removed), noun: "the name of a source", hint: "Try: jokesctl doctor")
    static let newSource = Operands("[PLACE]", 0...1, .suggested(SourcePreset.all.map(\.name)))
    static let subcommand = Operands("COMMAND", 1...1, noun: "a subcommand, such as add")
    static let words = Operands("WORD...", 1...100, noun: "words to search for")
    static let file = Operands("FILE", 1...1, .file, noun: "a FILE")
    static let shell = Operands("SHELL", 1...1, .oneOf(shells), noun: "a shell: \(shells.joinedAsWords("or"))")
    static let command = Operands("[COMMAND]", 0...2, .page, hint: "Try: jokesctl help")
    /// For completion scripts.
    static let commandLine = Operands("[WORD...]", 0...10_000)

    private static let shells = Shell.allCases.map(\.rawValue)

    /// An ID of this kind, or a prefix of one.
    static func id(_ kind: SuggestionKind) -> Operands {
        Operands("ID", 1...1, .known(kind), noun: "an ID", hint: hint(for: kind))
    }

    static func ids(_ kind: SuggestionKind) -> Operands {
        Operands("ID...", 1...Int.max, .known(kind), noun: "at least one ID", hint: hint(for: kind))
    }

    private static func hint(for kind: SuggestionKind) -> String {
        switch kind {
        case .favorite: "Try: jokesctl favorites"
        case .hidden: "Try: jokesctl hidden"
        default: "Try: jokesctl list"
        }
    }

    /// - Throws: `UsageError` for a wrong number of operands of the command, and for an invalid one.
    func check(_ words: [String], of command: String) throws(UsageError) {
        if words.count < count.lowerBound { throw UsageError("command '\(command)' needs \(noun)", suggestion: hint) }
        if words.count > count.upperBound {
            throw UsageError(
                count.upperBound > 1
                    ? "command '\(command)' takes at most \(count.upperBound) arguments"
                    : "unexpected argument '\(words[count.upperBound])'")
        }
        switch value {
        case .known, .file:
            // An empty word usually comes from an unset variable.
            if words.contains("") { throw UsageError("empty argument for command '\(command)'", suggestion: hint) }
        case .text where self == .words: try checkQuery(words.joined(separator: " "), of: command)
        case .oneOf(let shells):
            guard let unknown = words.first(where: { !shells.contains($0) }) else { return }
            throw UsageError(
                "unknown shell '\(unknown)': use \(shells.joinedAsWords("or"))",
                suggestion: nearMiss(of: unknown, among: shells))
        case .page:
            let name = words.joined(separator: " ")
            if words.isEmpty || HelpPage.exists(name) { return }
            throw UsageError(
                "unknown command '\(name)'", suggestion: nearMiss(of: name, among: HelpPage.names) ?? hint)
        default: break
        }
    }

    private func checkQuery(_ query: String, of command: String) throws(UsageError) {
        if query.allSatisfy(\.isWhitespace) { throw UsageError("command '\(command)' needs \(noun)") }
        if query.utf8.count > View.maxQueryBytes {
            throw UsageError(
                "the search is longer than \(View.maxQueryBytes) bytes", suggestion: "Search for fewer words.")
        }
    }
}
