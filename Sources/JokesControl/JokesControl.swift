import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import Unix

/// The program jokesctl.
package enum JokesControl {
    /// Runs the command line, and prints errors on standard error. Returns the exit code; see `ExitStatus`.
    package static func run(_ arguments: [String]) -> Int32 {
        ignoreBrokenPipes()
        reserveStandardDescriptors()
        findRuntimeFolder()
        do {
            try execute(arguments)
        } catch let status as ExitStatus {
            return status.rawValue
        } catch let error as ControlFailure {
            return report(error)
        } catch let error as SystemError where error.code == brokenPipe {
            // The reader of the output, such as head, has closed the pipe.
        } catch let error as SystemError {
            return report(ControlFailure(error))
        } catch {
            return report(ControlFailure(message: clause(of: "\(error)"), status: .internalError))
        }
        return ExitStatus.done.rawValue
    }

    /// Prints an error on standard error, and returns its exit code.
    @discardableResult
    static func report(_ failure: ControlFailure) -> Int32 {
        // A quoted argument may have several lines; the message has one.
        let message = failure.message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = ["jokesctl: \(message)", failure.hint].compactMap(\.self).joined(separator: "\n")
        let printer = Printer(
            isJSON: false, hasColor: false, now: Timestamp(microseconds: 0),
            columns: terminalArea(of: standardError)?.columns, output: OutputBuffer(to: standardError))
        // Standard error may be closed.
        try? printer.paragraph(text)
        try? printer.output.flush()
        return failure.status.rawValue
    }

    /// Parses the arguments up to the command, and executes the command.
    private static func execute(_ arguments: [String]) throws {
        let global = try withHint("Try: jokesctl help") {
            try CommandLineOptions(arguments, accepting: Command.globalOptions, stopsAtOperand: true)
        }
        if global.contains("version") { return try print(version) }
        if global.operands.isEmpty && global.contains("help") {
            return try print(HelpPage.general, in: pager(global))
        }
        let command = try global.operands.first.map { try Command.named($0) } ?? .overview
        let words = Array(global.operands.dropFirst())
        try withHint(command.hint) {
            guard let (subcommand, rest) = try findSubcommand(of: command, in: words) else {
                return try execute(command, words, global)
            }
            try withHint(subcommand.hint) { try execute(subcommand, rest, global) }
        }
    }

    /// Returns the subcommand that the words name, and the other words; nil if there is none.
    private static func findSubcommand(of command: Command, in words: [String]) throws -> (Command, [String])? {
        if command.subcommands.isEmpty { return nil }
        let given = try CommandLineOptions(words, accepting: Command.globalOptions, stopsAtOperand: true)
        let operands = given.operands
        guard let word = operands.first, !given.contains("help"), !given.contains("version") else { return nil }
        let name = "\(command.name) \(word)"
        guard let subcommand = command.subcommands.first(where: { $0.name == name }) else {
            throw UsageError(
                "unknown command '\(name)'", suggestion: nearMiss(of: name, among: command.subcommands.map(\.name)))
        }
        return (subcommand, Array(words.dropLast(operands.count) + operands.dropFirst()))
    }

    private static func execute(_ command: Command, _ words: [String], _ global: CommandLineOptions) throws {
        let options = try CommandLineOptions(words, accepting: command.options + Command.globalOptions)
        if global.contains("help") || options.contains("help") {
            return try print(HelpPage.of(command), in: pager(global, options))
        }
        if options.contains("version") { return try print(version) }
        try command.operands.check(options.operands, of: command.name)
        let printer = Printer(
            isJSON: global.contains("json") || options.contains("json"),
            hasColor: wantsColor(options["color"] ?? global["color"] ?? "auto"),
            now: Timestamp(microseconds: wallClockMicroseconds()),
            columns: terminalArea(of: standardOutput)?.columns, pager: pager(global, options),
            symbols: .ofLocale(environment), output: OutputBuffer(to: standardOutput))
        let socket = options["socket"] ?? global["socket"]
        let paths = SocketPath.ofClient(option: socket, environment: environment)
        let invocation = Invocation(
            command: command, options: options, daemon: JokesConnection(to: paths, timeout: .seconds(10)),
            socket: socket, printer: printer,
            hasFullIDs: global.contains("full-ids") || options.contains("full-ids"))
        do {
            try command.run(invocation)
        } catch let error as ClientError {
            throw ControlFailure(error, socket: socket)
        }
    }

    /// The pager; nil without a terminal or with `--no-pager`.
    private static func pager(_ given: CommandLineOptions...) -> Pager? {
        given.contains { $0.contains("no-pager") } ? nil : Pager.ofEnvironment()
    }

    static let version = "jokesctl \(jokesdVersion)"

    /// Prints a text of this program, in the pager if it is long.
    static func print(_ text: String, in pager: Pager? = nil) throws {
        func printPlainly(_ text: String) throws { try writeFully(text, to: standardOutput) }
        if let pager { try pager.show(text + "\n", plainly: printPlainly) } else { try printPlainly(text + "\n") }
    }

    /// Adds the hint to usage errors.
    private static func withHint<Result>(
        _ hint: @autoclosure () -> String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as UsageError {
            throw ControlFailure.usage(error.message, suggestion: error.suggestion, hint: hint())
        }
    }

    private static func wantsColor(_ choice: String) -> Bool {
        switch choice {
        case "always": true
        case "never": false
        default: isTerminal(standardOutput) && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
        }
    }
}
