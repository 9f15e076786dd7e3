import CommandLineTools
import Glibc
import TextLayout
import Unix

/// The program in which a person reads what is longer than the terminal, chosen and set up as git does with its own.
struct Pager {
    /// As a shell takes it: a name, or one with arguments.
    let command: String
    /// The terminal that it runs in.
    let area: LiveLines.Area

    /// The pager for what is printed; nil where standard output is no terminal that can show one.
    static func ofEnvironment() -> Pager? {
        guard let area = liveArea(of: standardOutput), area.rows > 0, let command = command(environment) else {
            return nil
        }
        return Pager(command: command, area: area)
    }

    /// The pager to be used: `$JOKESCTL_PAGER`, else `$PAGER`, else less. Nil where that is empty or cat.
    static func command(_ environment: (String) -> String?) -> String? {
        let command = environment("JOKESCTL_PAGER") ?? environment("PAGER") ?? "less"
        return command.allSatisfy(\.isWhitespace) || command == "cat" ? nil : command
    }

    /// Shows a text, on the terminal itself where it is short enough to be seen at once, and there is no need for another
    /// program.
    ///
    /// Signals from the keyboard are for the pager while it is there, and take effect when it has ended. A reader that has
    /// seen enough is no error; where the pager cannot be started, `plainly` prints the text.
    func show(_ text: String, plainly: () throws -> Void) throws {
        if Self.fits(text, in: area) { return try plainly() }
        let hasRun = try holdingBack([SIGINT, SIGQUIT, SIGTERM, SIGHUP]) { try run(on: text) }
        if !hasRun { try plainly() }
    }

    /// Whether all of it is on the screen at once, with a row below it for the cursor.
    static func fits(_ text: String, in area: LiveLines.Area) -> Bool {
        var rows = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            // Our styles count here as if they were shown: at worst the pager finds that it fits.
            rows += max(1, (line.columns + area.columns - 1) / area.columns)
            if rows >= area.rows { return false }
        }
        return true
    }

    /// False where the pager could not be started.
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
        // What a shell says of a program that is not there, or that it may not start.
        return ![126, 127].contains(waitForEnd(of: child))
    }

    private func program(reading: Int32) -> ChildProgram {
        let isPlain = command.allSatisfy { $0.isLetter || $0.isNumber || "/._-+".contains($0) }
        var child = isPlain ? ChildProgram(command) : ChildProgram("/bin/sh", ["-c", command])
        child.environment = Self.variables(wholeEnvironment())
        child.input = .descriptor(reading)
        child.output = .descriptor(standardOutput)
        child.errors = .descriptor(standardError)
        return child
    }

    /// What pagers find in their environment where nobody has chosen otherwise: less quits by itself where one screen is
    /// enough, shows colours, leaves on the screen what was read, and takes text for UTF-8, as lv does.
    static func variables(_ environment: [String: String]) -> [String: String] {
        var variables = ["LESS": "FRX", "LV": "-c"]
        let locale = ["LC_ALL", "LC_CTYPE", "LANG", "LESSCHARSET", "LESSCHARDEF"]
        if locale.allSatisfy({ (environment[$0] ?? "").isEmpty }) { variables["LESSCHARSET"] = "utf-8" }
        return variables.merging(environment) { $1 }
    }
}
