import JokesCore
import TextLayout

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
