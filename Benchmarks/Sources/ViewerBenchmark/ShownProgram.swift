import FoundationEssentials
import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Measuring
import TestSupport

/// A program that shows jokes on a terminal.
struct ShownProgram {
    let name: String
    let path: String
    let arguments: [String]
    let environment: [String: String]
    /// True if the lines of the screen are a complete first screen.
    let isShown: ([Substring]) -> Bool

    private init(
        _ name: String, _ path: String, _ arguments: [String], home: String, isShown: @escaping ([Substring]) -> Bool
    ) {
        self.name = name
        self.path = path
        self.arguments = arguments
        environment = ["TERM": TerminalScreen.Kind.xterm.rawValue, "HOME": home, "LANG": "C.UTF-8"]
        self.isShown = isShown
    }

    /// The viewer, connected to a daemon.
    static func viewer(of daemon: MeasuredDaemon, in folder: String) throws -> ShownProgram {
        ShownProgram(
            "jokes-tui", try MeasuredDaemon.program("jokes-tui"), ["--socket", daemon.socket], home: folder
        ) { lines in
            lines.dropLast().allSatisfy { !$0.isEmpty } && lines.last?.contains("random") == true
        }
    }

    /// less(1), with a file of this number of jokes, one per line. Nil if it is not installed.
    static func less(_ jokes: Int, of daemon: MeasuredDaemon, in folder: String) throws -> ShownProgram? {
        guard let path = installed("less") else { return nil }
        let file = "\(folder)/jokes.txt"
        try texts(jokes, of: daemon).map { "\($0)\n" }.joined().write(toFile: file, atomically: true, encoding: .utf8)
        return ShownProgram("less", path, ["-S", file], home: folder) { lines in lines.allSatisfy { !$0.isEmpty } }
    }

    /// newsboat(1), with a feed of this number of jokes in its cache. Nil if it is not installed.
    static func newsboat(_ jokes: Int, of daemon: MeasuredDaemon, in folder: String) throws -> ShownProgram? {
        guard let path = installed("newsboat") else { return nil }
        let items = try texts(jokes, of: daemon).enumerated().map { number, text in
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            return "<item><title>\(escaped)</title><guid>\(number)</guid></item>\n"
        }
        let files = [
            "feed.xml": "<rss version=\"2.0\"><channel><title>Jokes</title>\n\(items.joined())</channel></rss>\n",
            "urls": "file://\(folder)/feed.xml\n", "settings": "auto-reload no\nrefresh-on-startup no\n",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let arguments = ["-u", "\(folder)/urls", "-c", "\(folder)/newsboat.db", "-C", "\(folder)/settings"]
        let deadline = Deadline(after: .seconds(300))
        _ = try ChildProcess.run(path, arguments + ["-x", "reload"], environment: ["HOME": folder], deadline)
        return ShownProgram("newsboat", path, arguments, home: folder) { lines in
            lines.contains { $0.contains("Jokes") } && lines.contains { $0.hasPrefix("q:Quit") }
        }
    }

    private static func installed(_ name: String) -> String? {
        ["/usr/bin", "/usr/local/bin", "/bin"].map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// The texts of the newest jokes, one per line.
    private static func texts(_ count: Int, of daemon: MeasuredDaemon) throws -> [String] {
        let connection = try daemon.connect()
        var texts: [String] = []
        var cursor: String?
        repeat {
            let limit = min(100, count - texts.count)
            let page = try connection.call(ListMethod.self, ListMethod.Parameters(cursor: cursor, limit: limit))
            texts += page.jokes.map {
                $0.content.text.setup.split(whereSeparator: \.isNewline).joined(separator: " ")
            }
            cursor = page.next
        } while cursor != nil && texts.count < count
        return texts
    }
}
