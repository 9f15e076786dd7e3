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

    /// Shows a text in the pager, or with `plainly` if it fits the terminal or the pager cannot be started. `next` returns the
    /// next piece of the text after its start, and nil after the last piece; it is not called after the user left the pager.
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
        let hasRun = try blockingSignals([SIGINT, SIGQUIT, SIGTERM, SIGHUP]) { try run(on: &text, next) }
        if hasRun { return }
        try plainly(text)
        while let piece = try next() { try plainly(piece) }
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

    /// Returns false if the pager cannot be started. In this case, `text` has all pieces that `next` returned.
    private func run(on text: inout String, _ next: () throws -> String?) throws -> Bool {
        let pipe = try makePipe()
        let writing = Descriptor(owning: pipe.writing)
        let child: Int32
        do throws(SystemError) {
            let reading = Descriptor(owning: pipe.reading)
            child = try program(reading: reading.rawValue).start()
        } catch {
            return false
        }
        let fed = Result { try feed(&text, next, to: writing.rawValue) }
        _ = consume writing
        let code = waitForEnd(of: child)
        try fed.get()
        // The exit codes of a shell for a missing program.
        return ![126, 127].contains(code)
    }

    /// Writes the text and the next pieces to the pipe of the pager, until the pager ends.
    private func feed(_ text: inout String, _ next: () throws -> String?, to pipe: Int32) throws {
        do {
            try writeFully(text, to: pipe)
            while let piece = try next() {
                // The pager has started if it has read more than a pipe holds.
                if text.utf8.count <= Self.maxPipeBytes { text += piece }
                try writeFully(piece, to: pipe)
            }
        } catch let error as SystemError where error.code == brokenPipe {
            // The user has left the pager.
        }
    }

    /// The default capacity of a pipe in Linux, in bytes.
    private static let maxPipeBytes = 64 * 1024

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
