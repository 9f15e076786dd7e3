import CommandLineTools
import Glibc
import JokesCore
import TextLayout
import Unix

/// Prints a joke of two parts for `--tell`: its setup, a pause, and its punchline. Enter ends the pause.
///
/// There is no pause without a terminal, or in the background of one. jokesctl is not connected to the daemon during the
/// pause.
struct Telling {
    /// The options of `random`.
    static let options = [
        CommandOption("tell", "On a terminal, pause before the punchline; Enter ends the pause."),
        CommandOption(
            "pause", argument: "SECONDS", .number(0...3600),
            "With --tell, pause this long: 0 to 3600 (default: depends on the length of the setup)."),
    ]

    private let connector: Connector
    private let isAsked: Bool
    private let pause: Duration?

    /// - Throws: `ControlFailure` for options that cannot be used together.
    init(_ invocation: Invocation) throws(ControlFailure) {
        connector = invocation.connector
        isAsked = invocation.options.contains("tell")
        pause = invocation.number("pause").map { .seconds($0) }
        if pause != nil && !isAsked {
            throw .usage("option '--pause' needs the option '--tell'", hint: "Try: jokesctl random --tell --pause 3")
        }
        let others = [
            "json": invocation.printer.isJSON, "format": invocation.options.contains("format"),
            "single-line": invocation.options.contains("single-line"),
        ]
        if isAsked, let other = others.filter(\.value).keys.min() {
            throw .usage(
                "options '--tell' and '--\(other)' cannot be used together",
                hint: "Leave out '--tell' to print the joke without a pause.")
        }
    }

    /// Prints a joke, with a pause if it has two parts.
    func tell(_ text: JokeText, on printer: Printer) throws {
        guard isAsked, let punchline = text.punchline, isTerminal(standardOutput),
            isInForeground(ofTerminal: standardInput)
        else { return try printer.tell(text) }
        connector.disconnect()
        try printer.paragraph(text.setup)
        try printer.output.flush()
        let limit = BootInstant.now.advanced(by: pause ?? Self.pause(after: text.setup))
        let end = try waitForInput(standardInput, orReaderGoneFrom: standardOutput, until: limit)
        if end == .readerGone { return }
        if end == .input {
            // A terminal returns at most one line: the next one is for the program that runs after this one.
            var line = [UInt8](repeating: 0, count: 4096)
            _ = read(standardInput, &line, line.count)
        }
        try printer.paragraph(punchline)
    }

    /// The time to read the setup.
    static func pause(after setup: String) -> Duration {
        let columnsPerSecond = 20
        return min(max(.seconds(1.5), .seconds(1) + .seconds(setup.columns) / columnsPerSecond), .seconds(8))
    }
}
