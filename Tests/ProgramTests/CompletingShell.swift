import Glibc
import TestSupport
import Testing
import Unix

/// A real shell that has loaded the script of `jokesctl completions`.
final class CompletingShell {
    enum Kind: String, Sendable {
        case bash, zsh, fish

        /// The path of the shell; `nil` if it is not installed.
        var path: String? {
            ["/usr/bin/\(rawValue)", "/bin/\(rawValue)"].first { access($0, X_OK) == 0 }
        }

        /// The condition of a test of the shell. bash finds scripts only with a package.
        var isInstalled: ConditionTrait {
            let script = "/usr/share/bash-completion/bash_completion"
            let missing =
                path == nil ? rawValue : self == .bash && access(script, R_OK) != 0 ? "bash-completion" : nil
            return .enabled(if: missing == nil, "There is no \(missing ?? ""): make test installs it.")
        }
    }

    private let kind: Kind
    private let path: String
    private let folder: TemporaryFolder
    private let environment: [String: String]
    /// `nil` for fish, which has a command for completions.
    private var typist: Typist?
    private let findsScript: Bool

    /// Starts the shell in a new home folder. It loads the script at the start, or finds it on first use.
    init(_ kind: Kind, at path: String, socket: String, findsScript: Bool = false) throws {
        self.kind = kind
        self.path = path
        folder = try TemporaryFolder()
        environment = [
            "PATH": "\(builtProgram("").dropLast()):/usr/bin:/bin", "HOME": folder.path, "ZDOTDIR": folder.path,
            "TERM": "xterm", "LANG": "C.UTF-8", "INPUTRC": "/dev/null", "JOKESD_SOCKET": socket,
        ]
        let script = try ChildProcess.run(builtProgram("jokesctl"), ["completions", kind.rawValue])
        let parts = findsScript ? Self.places[kind]!.split(separator: "/") : ["script"]
        for count in 1..<max(1, parts.count) {
            #expect(mkdir(folder.path(parts.prefix(count).joined(separator: "/")), 0o700) == 0)
        }
        try folder.write(script.output, to: parts.joined(separator: "/"))
        self.findsScript = findsScript
        for name in ["plain.json", "two words.json"] { try folder.write("", to: name) }
        if kind != .fish { typist = try Typist(kind, at: path, folder, environment, findsScript: findsScript) }
    }

    /// The paths in the help of `completions`.
    private static let places: [Kind: String] = [
        .bash: ".local/share/bash-completion/completions/jokesctl", .zsh: "functions/_jokesctl",
        .fish: ".config/fish/completions/jokesctl.fish",
    ]

    /// Returns the line after Tab, without quotes and without the characters that the shell adds after a whole word.
    func completed(_ line: String) throws -> String {
        kind == .fish ? try fishCompleted(line) : plain(try self.line(after: line))
    }

    /// Returns the result of `completed` if Tab changes nothing.
    func plain(_ line: String) -> String {
        kind == .fish ? line : String(line.reversed().drop { " ,=".contains($0) }.reversed())
    }

    /// Returns the line after Tab, without quotes; not for fish.
    func line(after line: String) throws -> String {
        try #require(typist).completed(line).filter { $0 != "\\" }
    }

    /// Returns the line that fish would show: the word becomes the common prefix of the matching candidates.
    private func fishCompleted(_ line: String) throws -> String {
        let command = #"cd ~; \#(findsScript ? "" : "source ~/script;") complete -C "$argv[1]""#
        let arguments = (findsScript ? [] : ["--no-config"]) + ["-c", command, line]
        let result = try ChildProcess.run(path, arguments, environment: environment)
        try #require(result.errors.isEmpty && result.ending == .exited(0), "\(result)")
        let word = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        var candidates = result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
        candidates.removeAll { !$0.lowercased().hasPrefix(word.lowercased()) }
        guard var common = candidates.first else { return line }
        while !candidates.allSatisfy({ $0.hasPrefix(common) }) { common.removeLast() }
        return "\(line.dropLast(word.count))\(common)"
    }
}

/// A shell in a pseudo terminal. Tab completes the line, and Control-T prints it.
private final class Typist {
    private let terminal: PseudoTerminal
    private let process: ChildProcess

    init(
        _ kind: CompletingShell.Kind, at path: String, _ folder: TemporaryFolder, _ environment: [String: String],
        findsScript: Bool
    ) throws {
        // Wide enough for every line.
        terminal = try PseudoTerminal(columns: 2000, rows: 50)
        let isBash = kind == .bash
        let bash = (findsScript ? ". /usr/share/bash-completion/bash_completion\n" : ". ~/script\n") + Self.bash
        let zsh = "fpath=(~/functions $fpath)\n\(Self.zsh)\n" + (findsScript ? "" : ". ~/script\n")
        let start = try folder.write(isBash ? bash : zsh, to: isBash ? "start" : ".zshrc")
        let arguments = isBash ? ["--noprofile", "--rcfile", start, "-i"] : ["-d", "-i"]
        // Bash writes the edited line to standard error.
        process = try ChildProcess(
            "/bin/sh", ["-c", #"exec "$@" 2>&1"#, "sh", path] + arguments, environment: environment, terminal: terminal)
        _ = try terminal.read(until: "ready>")
    }

    func completed(_ line: String) throws -> String {
        // Control-U clears the line.
        try terminal.type(line + "\t\u{14}\u{15}")
        let shown = try terminal.read(until: ">@")
        let begin = try #require(shown.ranges(of: "@<").last, "\(shown.debugDescription)")
        return String(shown[begin.upperBound...].prefix { $0 != ">" })
    }

    private static let bash = """
        cd ~
        bind 'set completion-query-items 0'
        bind 'set page-completions off'
        bind 'set enable-bracketed-paste off'
        bind 'set bell-style none'
        bind -x '"\\C-t": printf "@%s>@" "<$READLINE_LINE"'
        PS1='ready> '
        """

    private static let zsh = """
        cd ~
        autoload -Uz compinit && compinit -u -D
        report() { print -rn -- "@""<$BUFFER>@" >/dev/tty }
        zle -N report
        bindkey -e
        bindkey '^T' report
        LISTMAX=10000
        PS1='ready> '
        """
}
