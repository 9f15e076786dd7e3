import CommandLineTools
import JokesProtocol

/// One option of a command, and what it takes: from this come parsing, help, completions and what is refused before the
/// daemon is asked.
struct CommandOption: Hashable, Sendable {
    let specification: OptionSpecification
    /// What its argument may be; nil where it takes none.
    let value: OptionValue?

    /// An option without an argument.
    init(_ name: String, letter: Character? = nil, _ summary: String) {
        specification = OptionSpecification(name, letter: letter, summary)
        value = nil
    }

    /// An option with an argument, which the help calls by a name such as `NAME`.
    init(_ name: String, letter: Character? = nil, argument: String, _ value: OptionValue, _ summary: String) {
        specification = OptionSpecification(name, letter: letter, argument: argument, summary)
        self.value = value
    }

    var name: String {
        specification.name
    }

    /// As it is written, `-n` and `--limit`.
    var spellings: [String] {
        (specification.letter.map { ["-\($0)"] } ?? []) + ["--\(name)"]
    }

    /// - Throws: `UsageError` for an argument that it does not take.
    func check(_ argument: String) throws(UsageError) {
        switch value {
        case .oneOf(let choices) where !choices.contains(argument):
            throw UsageError(
                "option '--\(name)' takes \(choices.joinedAsWords("or")), not '\(argument)'",
                suggestion: nearMiss(of: argument, among: choices))
        case .severalOf(let choices, let noun):
            let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard let stranger = parts.first(where: { !choices.contains($0) }) else { return }
            throw UsageError(
                "unknown \(noun) '\(stranger)': use \(choices.joinedAsWords("or"))",
                suggestion: nearMiss(of: stranger, among: choices))
        case .number(let range):
            if let number = Int(argument), range.contains(number) { return }
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("option '--\(name)' needs a whole number \(bounds), not '\(argument)'")
        case .file where argument.isEmpty, .known where argument.isEmpty, .format where argument.isEmpty:
            throw UsageError("option '--\(name)' needs a value that is not empty")
        case nil, .oneOf, .file, .known, .format, .text: return
        }
    }
}

/// What the argument of an option may be.
enum OptionValue: Hashable, Sendable {
    case oneOf([String])
    /// Some of these, separated by commas; the noun is what one of them is called.
    case severalOf([String], noun: String)
    case number(ClosedRange<Int>)
    case file
    /// What the daemon knows, as it says itself where it does not.
    case known(SuggestionKind)
    /// A template, which the command itself reads, or one of these.
    case format(builtIn: [String])
    /// Anything, or what the command itself checks.
    case text

    /// What can be offered of it: a template is for people to write.
    var offered: OptionValue {
        guard case .format(let builtIn) = self else { return self }
        return builtIn.isEmpty ? .text : .oneOf(builtIn)
    }
}

extension [String] {
    /// `a, b or c`.
    func joinedAsWords(_ conjunction: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
