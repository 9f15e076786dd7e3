import TextLayout

/// An option of a program or of a command, and the values that it accepts.
package struct CommandOption: Hashable, Sendable {
    /// The long name without dashes, such as `socket`.
    package let name: String
    package let letter: Character?
    /// The name of the argument in the help, such as `PATH`; nil for an option without an argument.
    package let argument: String?
    /// Nil for an option without an argument.
    package let value: OptionValue?
    package let summary: String

    package init(_ name: String, letter: Character? = nil, _ summary: String) {
        (self.name, self.letter, self.summary) = (name, letter, summary)
        (argument, value) = (nil, nil)
    }

    package init(
        _ name: String, letter: Character? = nil, argument: String, _ value: OptionValue, _ summary: String
    ) {
        (self.name, self.letter, self.argument) = (name, letter, argument)
        (self.value, self.summary) = (value, summary)
    }

    /// For example `-n` and `--limit`.
    package var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

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
package enum OptionValue: Hashable, Sendable {
    case oneOf([String])
    /// Several of these, separated by commas. Messages use the noun for one of them.
    case severalOf([String], noun: String)
    case number(ClosedRange<Int>)
    case file
    /// A value of this kind, which the daemon can suggest.
    case known(String)
    /// Several such values, separated by commas.
    case names(String)
    /// A template, or one of these names.
    case format(builtIn: [String])
    /// The name of a help page.
    case page
    /// Any text; the command may check it.
    case text
    /// Any text; completion offers these words, and files for other beginnings.
    case suggested([String])
}

extension String {
    /// The names in a list with commas. A backslash before a comma makes it a part of a name.
    package var listedNames: [String] {
        // No argument has a NUL.
        replacing("\\,", with: "\0").split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).replacing("\0", with: ",") }
    }
}
