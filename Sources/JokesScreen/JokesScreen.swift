import CommandLineTools
import JSON5
import JokesClient
import JokesCore
import JokesProtocol
import Terminal
import TextLayout
import Unix

/// The program jokes-tui.
package enum JokesScreen {
    private static let options = [
        CommandOption(
            "socket", argument: "PATH", .file,
            "Daemon socket: a path, unix:PATH or unix:@NAME (default: user daemon, then system daemon)."),
        CommandOption(
            "color", argument: "WHEN", .oneOf(ColorChoice.allCases.map(\.rawValue)),
            "Use color: auto, always or never (default: auto)."),
        CommandOption("plain", "Read and print lines of text, for screen readers."),
        CommandOption("version", "Print the version."),
        CommandOption("help", letter: "h", "Print this help."),
    ]

    /// Runs the viewer on the main thread. Returns the exit code: 0, 64 for a wrong command line, 69 without a
    /// terminal, 78 for wrong settings.
    package static func run(_ arguments: [String]) -> Int32 {
        ignoreBrokenPipes()
        reserveStandardDescriptors()
        findRuntimeFolder()
        do {
            try execute(arguments)
            return 0
        } catch let error as SystemError where error.code == brokenPipe {
            // The reader of the help or the version has seen enough.
            return 0
        } catch let error as UsageError {
            return report("\(error)", hint: "Try: jokes-tui --help", 64)
        } catch let error as ConfigurationError {
            let fix = if case .unreadable = error { "Make it a readable file" } else { "Fix the file" }
            return report("\(error)", hint: "\(fix), or remove it to use the default settings.", 78)
        } catch {
            let isUnfit = if case .unfitTerminal = error as? TerminalError { true } else { false }
            let hint = isUnfit ? "TERM=xterm-256color jokes-tui, or: jokes-tui --plain" : "jokesctl random"
            return report("\(error)", hint: "Try: \(hint)", 69)
        }
    }

    private static func execute(_ arguments: [String]) throws {
        if let words = optionCompletion(arguments, options) { return try writeFully(words, to: standardOutput) }
        let given = try CommandLineOptions(arguments, accepting: options)
        if let operand = given.operands.first { throw UsageError("unexpected argument '\(operand)'") }
        if given.contains("help") { return try writeFully(help + "\n", to: standardOutput) }
        if given.contains("version") { return try writeFully("jokes-tui \(jokesdVersion)\n", to: standardOutput) }
        let color = given["color"].flatMap(ColorChoice.init(rawValue:)) ?? .auto
        let paths = SocketPath.ofClient(option: given["socket"], environment: environment)
        let variables = environmentVariables()
        let settings = try Settings.load(variables)
        try Viewer.run(
            color: color, isPlain: given.contains("plain"), settings: settings, environment: variables, paths: paths,
            socket: given["socket"])
    }

    private static func report(_ sentence: String, hint: String, _ status: Int32) -> Int32 {
        // Standard error may be closed.
        try? writeFully(sanitizedLines("jokes-tui: \(sentence)\n\(hint)\n"), to: standardError)
        return status
    }

    private static var help: String {
        [
            "Usage: jokes-tui [OPTION...]",
            helpParagraph("Browse the jokes that jokesd has collected. Press ? for the keys, q to quit."),
            "Options:\n\(optionsHelp(options))",
            "Examples:\n  jokes-tui\n  jokes-tui --socket /run/jokesd/jokesd.sock",
            #"""
            To change keys and colors, edit ~/.config/jokesd/tui.json, for example:
              {"keys": {"star": ["f", "^F"]}, "theme": "light"}
            $XDG_CONFIG_HOME replaces ~/.config.
            """#,
            helpParagraph("Exit codes: 0 ok, 64 usage error, 69 no usable terminal, 78 error in tui.json."),
        ].joined(separator: "\n\n")
    }
}
