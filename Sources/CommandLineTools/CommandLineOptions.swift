import TextLayout

/// A command line, parsed as by getopt_long(3), but without abbreviated names.
package struct CommandLineOptions: Hashable, Sendable {
    private var values: [String: [String]] = [:]
    package private(set) var operands: [String] = []

    /// Parses the words after the program's name. If `stopsAtOperand` is true, the first operand ends the options.
    ///
    /// - Throws: `UsageError` for an unknown option, and for a missing or unexpected argument.
    package init(
        _ words: some Sequence<String>, accepting options: [OptionSpecification], stopsAtOperand: Bool = false
    ) throws(UsageError) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            } else if word.hasPrefix("--") {
                try take(long: word.dropFirst(2), options, &rest)
            } else if word.hasPrefix("-"), word.count > 1 {
                try take(letters: word.dropFirst(), options, &rest)
            } else {
                operands.append(word)
                if stopsAtOperand {
                    operands += rest
                    return
                }
            }
        }
    }

    package func contains(_ name: String) -> Bool { values[name] != nil }

    /// The last argument of the option; nil if the option was not given.
    package subscript(name: String) -> String? { values[name]?.last }

    /// - Throws: `UsageError` if one of the options has an empty argument.
    package func refuseEmptyArguments(of names: [String]) throws(UsageError) {
        for name in names where all(name).contains("") {
            throw UsageError("option '--\(name)' needs a value that is not empty")
        }
    }

    /// All arguments of the option.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    private mutating func take(
        long word: Substring, _ options: [OptionSpecification], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            throw UsageError(
                "unknown option '--\(name)'", suggestion: nearMiss(of: name, among: options.map(\.name)) { "--\($0)" })
        }
        if let given = parts.dropFirst().first {
            guard option.argument != nil else { throw UsageError("option '--\(name)' does not take a value") }
            values[name, default: []].append(String(given))
        } else {
            try take(option, "--\(name)", &rest)
        }
    }

    private mutating func take(
        letters word: Substring, _ options: [OptionSpecification], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw UsageError("unknown option '-\(letter)'")
            }
            if option.argument != nil && !letters.isEmpty {
                values[option.name, default: []].append(String(letters))
                return
            }
            try take(option, "-\(letter)", &rest)
        }
    }

    private mutating func take(
        _ option: OptionSpecification, _ written: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard option.argument != nil else {
            values[option.name, default: []].append("")
            return
        }
        guard let value = rest.popFirst() else { throw UsageError("option '\(written)' needs a value") }
        values[option.name, default: []].append(value)
    }
}

/// An option of a program.
package struct OptionSpecification: Hashable, Sendable {
    /// The long name without dashes, such as `socket`.
    package let name: String
    package let letter: Character?
    /// The name of the argument in the help, such as `PATH`; nil for an option without an argument.
    package let argument: String?
    package let summary: String

    package init(_ name: String, letter: Character? = nil, argument: String? = nil, _ summary: String) {
        (self.name, self.letter, self.argument, self.summary) = (name, letter, argument, summary)
    }

    /// For example `-n` and `--limit`.
    package var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}

/// A wrong command line.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, such as `unknown option '--jsno'`.
    package let message: String
    /// The next step, such as `Did you mean '--json'?`
    package let suggestion: String?

    package init(_ message: String, suggestion: String? = nil) {
        (self.message, self.suggestion) = (message, suggestion)
    }

    /// The message, and the suggestion on the next line.
    package var description: String { [message, suggestion].compactMap(\.self).joined(separator: "\n") }
}

/// A question for the candidate that was likely meant, such as `Did you mean 'list'?`; nil if none is similar.
package func nearMiss(of word: String, among candidates: [String], written: (String) -> String = { $0 }) -> String? {
    nearest(to: word, among: candidates).map { "Did you mean '\(written($0))'?" }
}
