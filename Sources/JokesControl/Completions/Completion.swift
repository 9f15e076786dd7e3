import CommandLineTools
import JokesClient
import JokesProtocol
import Unix
import Varlink

/// The answer to a completion script: the words that can replace the last word of a command line.
///
/// Each line has a word. A description can follow after a tab; the description `…` marks a prefix of several IDs. The
/// single line `:files` asks the shell to complete the name of a file.
struct Completion {
    private var socket: String?
    private var commandName: String?
    private var operandCount = 0
    /// True after `--`.
    private var hasEndedOptions = false
    private var givenOptions: Set<String> = []
    /// The option that takes the next word as its argument.
    private var openOption: CommandOption?

    /// `words` are the words before the cursor, without the name of the program.
    init(after words: some Sequence<String>, socket: String?) {
        self.socket = socket
        for word in words { read(word) }
    }

    /// Nil if no command of this name is listed.
    private var command: Command? {
        commandName.flatMap { name in
            Command.listedWithSubcommands.first { $0.isNamed(name) }
        }
    }

    private var options: [CommandOption] { (command?.options ?? []) + Command.globalOptions }

    private mutating func read(_ word: String) {
        if let option = openOption {
            openOption = nil
            if option.name == "socket" { socket = word }
        } else if hasEndedOptions || !word.hasPrefix("-") || word == "-" {
            let subcommand = command?.subcommands.first { $0.name == "\(commandName ?? "") \(word)" }
            if commandName == nil || subcommand != nil {
                commandName = subcommand?.name ?? word
            } else {
                operandCount += 1
            }
        } else if word == "--" {
            hasEndedOptions = true
        } else {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.spellings.contains(parts[0]) }) else { return }
            givenOptions.insert(option.name)
            if parts.count == 1 && option.value != nil { openOption = option }
            if parts.count == 2 && option.name == "socket" { socket = parts[1] }
        }
    }

    /// Returns the lines for the word at the cursor.
    func lines(completing word: String) -> [String] {
        if let openOption { return lines(openOption.value, word) }
        if !hasEndedOptions && word.hasPrefix("-") {
            if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
                let option = options.first { "--\($0.name)" == word[..<sign] }
                return lines(option?.value, String(word[word.index(after: sign)...])).map {
                    $0 == Self.files ? $0 : word[...sign] + $0
                }
            }
            let rows = options.filter { !givenOptions.contains($0.name) }.flatMap { option in
                option.spellings.map { ($0, option.summary) }
            }
            return Self.described(rows, word)
        }
        if commandName == nil { return Self.described(Self.commands, word) }
        if let command, !command.subcommands.isEmpty {
            let rows = command.subcommands.map { (String($0.name.dropFirst(command.name.count + 1)), $0.summary) }
            return operandCount == 0 ? Self.described(rows, word) : []
        }
        guard let operands = command?.operands, operandCount < operands.count.upperBound else { return [] }
        return lines(operands.value, word)
    }

    private static let files = ":files"
    private static let commands = Command.listed.map { ($0.name, $0.summary) }

    private func lines(_ value: OptionValue?, _ word: String) -> [String] {
        switch value {
        case .oneOf(let choices), .format(let choices): return choices.filter { $0.hasPrefix(word) }
        case .suggested(let choices):
            let found = choices.filter { $0.hasPrefix(word) }
            return found.isEmpty ? [Self.files] : found
        case .severalOf(let choices, _):
            let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return choices.filter { $0.hasPrefix(parts.last ?? "") && !parts.dropLast().contains($0) }
                .map { (parts.dropLast() + [$0]).joined(separator: ",") }
        case .known(let kind): return suggestions(kind, word)
        case .names(let kind):
            let start = word.lastIndex(of: ",").map { word.index(after: $0) } ?? word.startIndex
            return suggestions(kind, String(word[start...])).filter { !$0.contains(",") }.map { word[..<start] + $0 }
        case .file: return [Self.files]
        case .page: return Self.described(Self.commands + HelpPage.topics.map { ($0, "help topic") }, word)
        case .number, .text, nil: return []
        }
    }

    private static func described(_ rows: [(name: String, summary: String)], _ word: String) -> [String] {
        rows.filter { $0.name.hasPrefix(word) }.map { "\($0.name)\t\($0.summary)" }
    }

    /// Returns the suggestions of the first daemon that answers in time.
    private func suggestions(_ kindName: String, _ prefix: String) -> [String] {
        guard let kind = SuggestionKind(rawValue: kindName) else { return [] }
        let end = BootInstant.now.advanced(by: .milliseconds(150))
        let paths = SocketPath.ofClient(option: socket, environment: environment)
        let client = try? connectToFirst(of: paths, within: BootInstant.now.duration(to: end))
        func words(beginningWith prefix: String, limit: Int? = nil) -> [String]? {
            let reply = try? client?.call(
                SuggestMethod.fullName, SuggestMethod.Parameters(what: kind, prefix: prefix, limit: limit),
                returning: SuggestMethod.Reply.self, timeout: BootInstant.now.duration(to: end))
            return reply?.words
        }
        let plain = (words(beginningWith: prefix) ?? []).filter(\.isPlainWord)
        guard [.id, .favorite, .hidden].contains(kind) else { return plain }
        // If there are too many IDs, the daemon returns their beginnings: those of sources, or one that they all share.
        // Without time for a second request, a word counts as an ID.
        return plain.map { word in
            let isShared = plain.count == 1 && words(beginningWith: word, limit: 1).map { $0 != [word] } ?? false
            return isShared || word.hasSuffix(":") ? "\(word)\t…" : word
        }
    }
}

extension String {
    /// True if a suggested word is safe in a command line without quotes: it has only letters, digits and characters
    /// that no shell interprets within a word.
    var isPlainWord: Bool {
        let isLetter = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .otherLetter, .decimalNumber: true
            default: false
            }
        }
        guard let first = unicodeScalars.first, isLetter(first) else { return false }
        return unicodeScalars.allSatisfy { isLetter($0) || "._~:@%+,/=-".unicodeScalars.contains($0) }
    }
}

/// A shell that has a completion script, for all programs. The script passes the words up to the cursor to `jokesctl complete`,
/// or to `jokesd complete` and so on, and offers the words that it prints; see `Completion`. `make install` installs the same
/// files.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var completionScript: String {
        switch self {
        case .bash: String(decoding: PackageResources.jokesctl_bash, as: UTF8.self)
        case .zsh: String(decoding: PackageResources.jokesctl_zsh, as: UTF8.self)
        case .fish: String(decoding: PackageResources.jokesctl_fish, as: UTF8.self)
        }
    }
}
