import CommandLineTools
import Glibc
import JokesCore
import TextLayout
import Unix

/// The program notify-send(1), which shows notifications on the desktop.
struct NotifySend {
    private let path: String
    private let timeout: Duration

    /// Searches for the program in PATH.
    ///
    /// - Throws: `ControlFailure` if it is not installed.
    init(timeout: Duration? = nil) throws(ControlFailure) {
        let folders = (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let paths = folders.map { "\($0)/notify-send" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw Self.failure(
                "notify-send is not installed", hint: "Install it; on Debian: sudo apt install libnotify-bin")
        }
        (self.path, self.timeout) = (path, timeout ?? .seconds(10))
    }

    /// Shows a notification, and waits until the notification service has it.
    ///
    /// - Throws: `ControlFailure` if the program fails or takes longer than the timeout.
    func show(_ notification: JokeNotification) throws(ControlFailure) {
        // notify-send replaces escapes such as \n in the body.
        let body = escaped(notification.body, by: ["\\": #"\\"#])
        let program = ChildProgram(path, ["--app-name=jokesd", "--", notification.summary, body])
        let answer: ProgramAnswer
        do throws(SystemError) {
            answer = try program.answer(within: timeout, withErrors: true)
        } catch {
            throw Self.failure("\(error)")
        }
        switch answer {
        case .ended(status: 0, output: _): return
        case .ended(_, let output):
            let reason = output.split(separator: "\n").first.map { ": \($0)" } ?? ""
            throw Self.failure("notify-send failed\(reason)")
        case .timedOut: throw Self.failure("notify-send timed out after \(timeout.components.seconds) s")
        }
    }

    /// Shows the jokes. Prints failures on standard error, because the next notification may succeed.
    func show(_ jokes: [TemplateJoke]) {
        for joke in jokes {
            do throws(ControlFailure) {
                try show(JokeNotification(joke.content.text))
            } catch {
                JokesControl.report(error)
            }
        }
    }

    private static func failure(_ reason: String, hint: String = serviceHint) -> ControlFailure {
        ControlFailure(message: "cannot show a notification: \(reason)", hint: hint, status: .refused)
    }

    private static let serviceHint = "Start a notification service, such as mako or dunst. To test it: notify-send Test"
}

extension Invocation {
    /// True if jokes are shown in notifications.
    ///
    /// - Throws: `UsageError` for options that cannot be used together.
    var isNotified: Bool {
        get throws(UsageError) {
            guard options.contains("notify") else { return false }
            let others = ["format", "json", "single-line"]
            if let other = others.first(where: { $0 == "json" ? printer.isJSON : options.contains($0) }) {
                throw UsageError("options '--notify' and '--\(other)' cannot be used together")
            }
            return true
        }
    }
}

/// The texts of a desktop notification with a joke.
struct JokeNotification: Hashable {
    /// The title: plain text on one line. Desktops cut off a long title.
    let summary: String
    /// The text below the title, in the markup of the Desktop Notifications Specification.
    let body: String

    /// A short setup is the title, and the punchline is the text below. For other jokes, the text is the whole joke.
    init(_ text: JokeText) {
        if let punchline = text.punchline, !text.setup.contains("\n"), text.setup.columns <= Self.maxTitleColumns {
            (summary, body) = (sanitized(text.setup), Self.markup(punchline))
        } else {
            (summary, body) = ("Joke", Self.markup(text.whole))
        }
    }

    private static let maxTitleColumns = 60

    /// Escapes only the characters that must be escaped, because some desktops show other escapes literally.
    private static func markup(_ text: String) -> String {
        escaped(sanitizedLines(text), by: ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }

    /// The paragraph on notifications in the help of a command.
    static let help = "--notify needs the program notify-send. A short setup is the title of the notification."
}
