import CommandLineTools
import Glibc
import TextLayout
import Unix

/// The pager for output that is longer than the terminal, chosen and set up as in git.
struct Pager {
    /// A shell command.
    let command: String
    let area: LiveLines.Area

    /// The pager of the environment; nil if standard output is not a suitable terminal.
    static func ofEnvironment() -> Pager? {
        guard let area = liveArea(of: standardOutput), area.rows > 0, let command = command(environment) else {
            return nil
        }
        return Pager(command: command, area: area)
    }

    /// The command: `$JOKESCTL_PAGER`, else `$PAGER`, else less. Nil if it is empty or cat.
    static func command(_ environment: (String) -> String?) -> String? {
        let command = environment("JOKESCTL_PAGER") ?? environment("PAGER") ?? "less"
        return command.allSatisfy(\.isWhitespace) || command == "cat" ? nil : command
    }

    /// Shows a text in the pager, or with `plainly` if it fits the terminal. `next` returns the next piece of the text
    /// after its start, and nil after the last piece; it is not called after the user left the pager.
    ///
    /// Signals from the keyboard go to the pager, and take effect after its end.
    func show(
        _ start: String, _ next: () throws -> String? = { nil }, plainly: (String) throws -> Void
    ) throws {
        var text = start
        while Self.fits(text, in: area) {
            guard let piece = try next() else { return try plainly(text) }
            text += piece
        }
        try blockingSignals([SIGINT, SIGQUIT, SIGTERM, SIGHUP]) { try run(on: text, next) }
    }

    /// True if the text fits above the row of the cursor.
    static func fits(_ text: String, in area: LiveLines.Area) -> Bool {
        var rows = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            // Styles are counted as text; at worst, the pager finds that the text fits.
            rows += max(1, (line.columns + area.columns - 1) / area.columns)
            if rows >= area.rows { return false }
        }
        return true
    }

    private func run(on text: String, _ next: () throws -> String?) throws {
        let pipe = try makePipe()
        let writing = Descriptor(owning: pipe.writing)
        let reading = Descriptor(owning: pipe.reading)
        let child = try program(reading: reading.rawValue).start()
        // Without the pager, a write then fails.
        _ = consume reading
        let fed = Result { try feed(text, next, to: writing.rawValue) }
        _ = consume writing
        _ = waitForEnd(of: child)
        try fed.get()
    }

    /// Writes the text and the next pieces to the pipe of the pager, until the pager ends.
    private func feed(_ text: String, _ next: () throws -> String?, to pipe: Int32) throws {
        do {
            try writeFully(text, to: pipe)
            while let piece = try next() { try writeFully(piece, to: pipe) }
        } catch let error as SystemError where error.code == brokenPipe {
            // The user has left the pager.
        }
    }

    /// The shell runs the pager, and cat if there is no such program. An interrupt is for the pager only.
    private func program(reading: Int32) -> ChildProgram {
        let script = "trap : INT QUIT\n\(command)\ncase $? in 126|127) exec cat;; esac"
        var child = ChildProgram("/bin/sh", ["-c", script])
        child.environment = Self.variables(environmentVariables())
        child.input = .descriptor(reading)
        child.output = .descriptor(standardOutput)
        child.errors = .descriptor(standardError)
        return child
    }

    /// The environment of the pager, with defaults: less quits after one screen (F), shows colors (R) and keeps the
    /// screen (X); without a locale, text is UTF-8. The user's `LESS` gets R in front, so that colors are readable and later
    /// options still count.
    static func variables(_ environment: [String: String]) -> [String: String] {
        var variables = ["LESS": "FRX", "LV": "-c"]
        let locale = ["LC_ALL", "LC_CTYPE", "LANG", "LESSCHARSET", "LESSCHARDEF"]
        if locale.allSatisfy({ (environment[$0] ?? "").isEmpty }) { variables["LESSCHARSET"] = "utf-8" }
        variables.merge(environment) { $1 }
        if let options = environment["LESS"] { variables["LESS"] = "-R \(options)" }
        return variables
    }
}
