/// A command line, taken apart by the rules of getopt_long(3): `--name value`, `--name=value`, `-n value`, `-nvalue`,
/// letters without arguments together, `--` before operands that begin with a dash. Names are not abbreviated.
package struct CommandLineOptions: Hashable, Sendable {
    private var values: [String: [String]] = [:]
    /// What is not an option, in order.
    package private(set) var operands: [String] = []

    /// Takes the words apart.
    ///
    /// - Parameters:
    ///   - words: the command line without the program's name.
    ///   - options: what the program takes.
    ///   - stopsAtOperand: whether the first operand ends the options, as before the name of a command.
    /// - Throws: `UsageError` for an unknown option (with the one that was likely meant), and for an argument that is
    ///   missing or not wanted.
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

    /// True where the option was given.
    package func contains(_ name: String) -> Bool {
        values[name] != nil
    }

    /// The argument of the option, the last where it was given more than once; nil where it was not.
    package subscript(name: String) -> String? {
        values[name]?.last
    }

    /// - Throws: `UsageError` if one of the options has an empty argument.
    package func refuseEmptyArguments(of names: [String]) throws(UsageError) {
        for name in names where all(name).contains("") {
            throw UsageError("option '--\(name)' needs a value that is not empty")
        }
    }

    /// The arguments of the option, in the order in which they were given.
    package func all(_ name: String) -> [String] {
        values[name] ?? []
    }

    private mutating func take(
        long word: Substring, _ options: [OptionSpecification], _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            let meant = nearest(to: name, among: options.map(\.name)).map { "Did you mean '--\($0)'?" }
            throw UsageError("unknown option '--\(visible(name))'", suggestion: meant)
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
                throw UsageError("unknown option '-\(visible(String(letter)))'")
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

/// The candidate that somebody who wrote the word most likely meant: at most two slips away, and fewer than half of
/// its letters; nil where none is near.
package func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (candidate: $0, slips: slips(from: word, to: $0)) }
    guard let best = ranked.min(by: { $0.slips < $1.slips }), best.slips <= 2, best.slips * 2 < best.candidate.count
    else { return nil }
    return best.candidate
}

/// Damerau and Levenshtein's distance: letters added, left out, exchanged, or swapped with their neighbour.
private func slips(from a: String, to b: String) -> Int {
    let (a, b) = (Array(a.prefix(64)), Array(b))
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
            row.append(cost)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}

/// A word of the command line fit to be printed: control characters are shown as a question mark.
private func visible(_ word: String) -> String {
    String(String.UnicodeScalarView(word.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
}
