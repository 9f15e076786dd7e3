import TextLayout

/// A command line, parsed as by getopt_long(3), but without abbreviated names.
package struct CommandLineOptions: Hashable, Sendable {
    private var values: [String: [String]] = [:]
    package private(set) var operands: [String] = []

    /// Parses the words after the program's name. If `stopsAtOperand` is true, the first operand ends the options.
    ///
    /// - Throws: `UsageError` for an unknown option, and for a missing, invalid or unexpected argument.
    package init(
        _ words: some Sequence<String>, accepting options: [CommandOption], stopsAtOperand: Bool = false
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

    /// All arguments of the option.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    private mutating func take(
        long word: Substring, _ options: [CommandOption], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            throw UsageError(
                "unknown option '--\(name)'", suggestion: nearMiss(of: name, among: options.map(\.name)) { "--\($0)" })
        }
        if let given = parts.dropFirst().first {
            guard option.argument != nil else { throw UsageError("option '--\(name)' does not take a value") }
            try add(String(given), of: option)
        } else {
            try take(option, "--\(name)", &rest)
        }
    }

    private mutating func take(
        letters word: Substring, _ options: [CommandOption], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw UsageError("unknown option '-\(letter)'")
            }
            if option.argument != nil && !letters.isEmpty {
                try add(String(letters), of: option)
                return
            }
            try take(option, "-\(letter)", &rest)
        }
    }

    private mutating func take(
        _ option: CommandOption, _ written: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard option.argument != nil else { return try add("", of: option) }
        guard let value = rest.popFirst() else { throw UsageError("option '\(written)' needs a value") }
        try add(value, of: option)
    }

    private mutating func add(_ value: String, of option: CommandOption) throws(UsageError) {
        try option.check(value)
        values[option.name, default: []].append(value)
    }
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
