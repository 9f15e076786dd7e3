import CommandLineTools
import JokesCore
import JokesProtocol

/// An option of a command, and the values that it accepts.
struct CommandOption: Hashable, Sendable {
    let specification: OptionSpecification
    /// Nil for an option without an argument.
    let value: OptionValue?

    init(_ name: String, letter: Character? = nil, _ summary: String) {
        specification = OptionSpecification(name, letter: letter, summary)
        value = nil
    }

    init(_ name: String, letter: Character? = nil, argument: String, _ value: OptionValue, _ summary: String) {
        specification = OptionSpecification(name, letter: letter, argument: argument, summary)
        self.value = value
    }

    var name: String { specification.name }

    /// - Throws: `UsageError` for an invalid argument.
    func check(_ argument: String) throws(UsageError) {
        switch value {
        case .oneOf(let choices) where !choices.contains(argument):
            throw UsageError(
                "option '--\(name)' takes \(choices.joinedAsWords("or")), not '\(argument)'",
                suggestion: nearMiss(of: argument, among: choices))
        case .severalOf(let choices, let noun):
            let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard let unknown = parts.first(where: { !choices.contains($0) }) else { return }
            throw UsageError(
                "unknown \(noun) '\(unknown)': use \(choices.joinedAsWords("or"))",
                suggestion: nearMiss(of: unknown, among: choices))
        case .number(let range):
            if let number = Int(argument), range.contains(number) { return }
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("option '--\(name)' needs a whole number \(bounds), not '\(argument)'")
        case .file where argument.isEmpty, .known where argument.isEmpty, .format where argument.isEmpty,
            .names where argument.listedNames.contains(""):
            throw UsageError("option '--\(name)' needs a value that is not empty")
        case nil, .oneOf, .file, .known, .names, .format, .page, .text, .suggested: return
        }
    }
}

/// The values that an option accepts.
enum OptionValue: Hashable, Sendable {
    case oneOf([String])
    /// Several of these, separated by commas. Messages use the noun for one of them.
    case severalOf([String], noun: String)
    case number(ClosedRange<Int>)
    case file
    /// A value that the daemon can suggest.
    case known(SuggestionKind)
    /// Several such values, separated by commas.
    case names(SuggestionKind)
    /// A template, or one of these names.
    case format(builtIn: [String])
    /// The name of a help page.
    case page
    /// Any text; the command may check it.
    case text
    /// Any text; completion offers these words, and files for other beginnings.
    case suggested([String])
}
