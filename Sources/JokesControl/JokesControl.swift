import JokesClient
import JokesCore
import JokesProtocol
import Unix

/// jokesctl: commands to the daemon and what it answers, as text or JSON.
package enum JokesControl {
    private static let globalOptions = [
        OptionSpecification("socket", argument: "PATH", "The daemon's socket: a path, unix:PATH or unix:@NAME."),
        OptionSpecification("json", "Print JSON: one document, or one a line where it streams."),
        OptionSpecification("color", argument: "WHEN", "auto, always or never."),
        OptionSpecification("version", "Print the version."),
        OptionSpecification("help", letter: "h", "Print this help."),
    ]

    /// Runs the command line and says what went wrong on standard error.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the program's exit code; see `ExitStatus`.
    package static func run(_ arguments: [String]) -> Int32 {
        ignoreBrokenPipes()
        do {
            return try follow(arguments)
        } catch let error as UsageError {
            return report(error.description, hint: "jokesctl --help lists commands and options.", ExitStatus.usage)
        } catch let error as ControlFailure {
            return report(error.sentence, hint: error.hint, error.status)
        } catch let error as ClientError {
            let failure = ControlFailure(error)
            return report(failure.sentence, hint: failure.hint, failure.status)
        } catch let error as SystemError where error.code == brokenPipe {
            // Whoever read our output has seen enough.
            return ExitStatus.done
        } catch {
            return report("\(error)", hint: nil, ExitStatus.internalError)
        }
    }

    private static func report(_ sentence: String, hint: String?, _ status: Int32) -> Int32 {
        let text = ["jokesctl: \(sentence)", hint].compactMap(\.self).joined(separator: "\n")
        // Nothing is left to tell it with where standard error is closed.
        try? writeFully(harmless(text) + "\n", to: standardError)
        return status
    }

    private static func follow(_ arguments: [String]) throws -> Int32 {
        let global = try CommandLineOptions(arguments, accepting: globalOptions, stopsAtOperand: true)
        let color = global["color"] ?? "auto"
        guard ["auto", "always", "never"].contains(color) else {
            throw UsageError("The option --color takes auto, always or never.")
        }
        if global.contains("version") { return try say("jokesctl \(jokesdVersion)") }
        guard let name = global.operands.first else {
            if global.contains("help") { return try say(help) }
            throw UsageError("There is no command.")
        }
        guard let command = Command.all.first(where: { $0.name == name }) else {
            let meant = nearest(to: name, among: Command.all.map(\.name)).map { " Did you mean \($0)?" } ?? ""
            throw UsageError("There is no command \(name).\(meant)")
        }
        // What is given to all commands may stand after the command's name too.
        let options = try CommandLineOptions(
            global.operands.dropFirst(), accepting: command.options + globalOptions)
        if global.contains("help") || options.contains("help") { return try say(help(for: command)) }
        guard command.operandCount.contains(options.operands.count) else { throw operandError(command, options) }
        let printer = Printer(
            isJSON: global.contains("json") || options.contains("json"),
            hasColor: wantsColor(options["color"] ?? color),
            now: Timestamp(microseconds: wallClockMicroseconds()),
            output: OutputBuffer(to: standardOutput))
        let connector = Connector(
            to: SocketPath.ofClient(option: options["socket"] ?? global["socket"], environment: environment))
        return try command.run(
            Invocation(command: command, options: options, connector: connector, printer: printer))
    }

    private static func operandError(_ command: Command, _ options: CommandLineOptions) -> UsageError {
        if options.operands.count < command.operandCount.lowerBound {
            return UsageError("The command \(command.name) needs \(command.operands).")
        }
        return UsageError("The command \(command.name) does not take \(options.operands.last ?? "").")
    }

    private static func wantsColor(_ choice: String) -> Bool {
        switch choice {
        case "always": true
        case "never": false
        default: isTerminal(standardOutput) && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        }
    }

    // MARK: Help

    private static func say(_ text: String) throws -> Int32 {
        try writeFully(text + "\n", to: standardOutput)
        return ExitStatus.done
    }

    private static var help: String {
        let width = Command.all.map { synopsis($0).count }.max() ?? 0
        let commands = Command.all.map { command in
            let left = synopsis(command)
            return "  \(left)\(String(repeating: " ", count: width + 2 - left.count))\(command.summary)"
        }
        return """
            Usage: jokesctl [OPTION…] COMMAND

            Commands:
            \(commands.joined(separator: "\n"))

            Options:
            \(optionsHelp(globalOptions))

            An ID is a joke's full id or any beginning of it that names one joke.
            Exit codes: 0 done, 1 the daemon said no, 64 usage, 69 daemon not reachable, 75 try later.
            """
    }

    private static func help(for command: Command) -> String {
        var parts = ["Usage: jokesctl \(synopsis(command))", "\(command.summary)."]
        if !command.options.isEmpty { parts.append("Options:\n" + optionsHelp(command.options)) }
        if !command.notes.isEmpty { parts.append(command.notes) }
        return parts.joined(separator: "\n\n")
    }

    private static func synopsis(_ command: Command) -> String {
        command.operands.isEmpty ? command.name : "\(command.name) \(command.operands)"
    }
}
