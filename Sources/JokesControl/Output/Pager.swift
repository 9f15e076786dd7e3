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

    /// Shows a text in the pager, or with `plainly` if it fits the terminal or the pager cannot be started.
    ///
    /// Signals from the keyboard go to the pager, and take effect after its end.
    func show(_ text: String, plainly: () throws -> Void) throws {
        if Self.fits(text, in: area) { return try plainly() }
        let hasRun = try blockingSignals([SIGINT, SIGQUIT, SIGTERM, SIGHUP]) { try run(on: text) }
        if !hasRun { try plainly() }
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

    /// Returns false if the pager cannot be started.
    private func run(on text: String) throws -> Bool {
        let pipe = try makePipe()
        let writing = Descriptor(owning: pipe.writing)
        let child: Int32
        do throws(SystemError) {
            let reading = Descriptor(owning: pipe.reading)
            child = try program(reading: reading.rawValue).start()
        } catch {
            return false
        }
        do throws(SystemError) {
            try writeFully(text, to: writing.rawValue)
        } catch {
            guard error.code == brokenPipe else { throw error }
        }
        _ = consume writing
        // The exit codes of a shell for a missing program.
        return ![126, 127].contains(waitForEnd(of: child))
    }

    private func program(reading: Int32) -> ChildProgram {
        let isPlain = command.allSatisfy { $0.isLetter || $0.isNumber || "/._-+".contains($0) }
        var child = isPlain ? ChildProgram(command) : ChildProgram("/bin/sh", ["-c", command])
        child.environment = Self.variables(environmentVariables())
        child.input = .descriptor(reading)
        child.output = .descriptor(standardOutput)
        child.errors = .descriptor(standardError)
        return child
    }

    /// The environment of the pager, with defaults: less quits after one screen (F), shows colors (R) and keeps the
    /// screen (X); without a locale, text is UTF-8.
    static func variables(_ environment: [String: String]) -> [String: String] {
        var variables = ["LESS": "FRX", "LV": "-c"]
        let locale = ["LC_ALL", "LC_CTYPE", "LANG", "LESSCHARSET", "LESSCHARDEF"]
        if locale.allSatisfy({ (environment[$0] ?? "").isEmpty }) { variables["LESSCHARSET"] = "utf-8" }
        return variables.merging(environment) { $1 }
    }
}
