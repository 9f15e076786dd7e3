import JSON5
import JokesClient
import JokesCore
import JokesProtocol
import Terminal
import TextLayout
import Unix

/// jokes-tui: the viewer and its command line.
package enum JokesScreen {
    private static let options = [
        OptionSpecification("socket", argument: "PATH", "The daemon's socket: a path, unix:PATH or unix:@NAME."),
        OptionSpecification("color", argument: "WHEN", "auto, always or never."),
        OptionSpecification("version", "Print the version."),
        OptionSpecification("help", letter: "h", "Print this help."),
    ]

    /// Runs the command line, to the end of the viewer, on the thread that the program began with.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the program's exit code: 0, 64 for a command line that cannot be followed, 69 without a terminal,
    ///   78 where the settings are wrong.
    package static func run(_ arguments: [String]) -> Int32 {
        holdStandardDescriptors()
        do {
            try follow(arguments)
            return 0
        } catch let error as UsageError {
            return report("\(error)", hint: "jokes-tui --help lists the options.", 64)
        } catch let error as ConfigurationError {
            return report("\(error)", hint: "Without this file the keys are the standard ones, which ? shows.", 78)
        } catch {
            return report("\(error)", hint: "jokesctl prints jokes anywhere.", 69)
        }
    }

    private static func follow(_ arguments: [String]) throws {
        let given = try CommandLineOptions(arguments, accepting: options)
        if let operand = given.operands.first { throw UsageError("jokes-tui takes no \(operand).") }
        if given.contains("help") { return try writeFully(help + "\n", to: standardOutput) }
        if given.contains("version") { return try writeFully("jokes-tui \(jokesdVersion)\n", to: standardOutput) }
        guard let color = ColorChoice(rawValue: given["color"] ?? "auto") else {
            throw UsageError("The option --color takes auto, always or never.")
        }
        let paths = SocketPath.ofClient(option: given["socket"], environment: environment)
        let settings = try Settings.load(wholeEnvironment())
        try Viewer.run(color: color, settings: settings) { loop, take in
            DaemonLink.following(paths, on: loop, take: take)
        }
    }

    private static func report(_ sentence: String, hint: String, _ status: Int32) -> Int32 {
        let lines = ("jokes-tui: \(sentence)".split(separator: "\n") + [hint[...]]).map { sanitized(String($0)) + "\n" }
        // Nothing is left to tell it with where standard error is closed.
        try? writeFully(lines.joined(), to: standardError)
        return status
    }

    private static var help: String {
        [
            "Usage: jokes-tui [OPTION…]",
            helpParagraph("Shows the jokes that jokesd has gathered. Press ? in it for its keys, q to leave it."),
            "Options:\n\(optionsHelp(options))",
            helpParagraph(
                #"Other keys are set in $XDG_CONFIG_HOME/jokesd/tui.json, as {"keys": {"star": ["f", "^F"]}}."#),
            helpParagraph("Exit codes: 0 done, 64 usage, 69 no terminal to show it on, 78 a mistake in tui.json."),
        ].joined(separator: "\n\n")
    }
}
