import JokesCore
import TextLayout
import Unix

/// How `--tell` tells a joke of two parts to a person: its setup, a pause, and its punchline. Enter or Space ends the pause.
///
/// Without a terminal there is no pause, nor in the background of one. While it lasts, the daemon is not held, and nothing
/// wakes but its timer.
struct Telling {
    /// Of `random`.
    static let options = [
        CommandOption("tell", "On a terminal, pause before the punchline; Enter or Space ends the pause."),
        CommandOption(
            "pause", argument: "SECONDS", .number(0...3600),
            "With --tell, pause this long: 0 to 3600 (default: depends on the length of the setup)."),
    ]

    private let connector: Connector
    private let isAsked: Bool
    private let pause: Duration?

    /// - Throws: `ControlFailure` for options that do not go together.
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

    /// Tells a joke: as any other where it is of one part, or no pause was asked for.
    func tell(_ text: JokeText, on printer: Printer) throws {
        guard isAsked, let punchline = text.punchline, isTerminal(standardOutput),
            KeyWait.isPossible(at: standardInput)
        else { return try printer.tell(text) }
        connector.disconnect()
        try printer.paragraph(StyledText(text.setup))
        let end = try wait(pause ?? Self.pause(after: text.setup), on: printer)
        if end != .gone { try printer.paragraph(StyledText(punchline)) }
    }

    /// About as long as somebody needs to read it and to begin to wonder.
    static func pause(after setup: String) -> Duration {
        let columnsPerSecond = 20
        return min(max(.seconds(1.5), .seconds(1) + .seconds(setup.columns) / columnsPerSecond), .seconds(8))
    }

    /// Shows that something will come, for as long as it does not.
    private func wait(_ pause: Duration, on printer: Printer) throws -> KeyWait.End {
        let isLive = liveArea(of: standardOutput) != nil
        let erasure = isLive ? "\r\u{1B}[K" : ""
        if isLive { try printer.live(printer.rendered(printer.styled(ellipsis, .dim))) }
        try printer.output.flush()
        let wait = KeyWait(at: standardInput, output: standardOutput, farewell: erasure)
        let end = try wait(" \n\r", until: BootInstant.now.advanced(by: pause))
        try printer.live(erasure)
        return end
    }
}
