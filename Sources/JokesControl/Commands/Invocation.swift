import CommandLineTools
import JokesClient

/// A command with what was given to it, and the world it acts on.
struct Invocation {
    let command: Command
    /// What was given, each argument one that its option takes.
    let options: CommandLineOptions
    let connector: Connector
    let printer: Printer

    var daemon: JokesConnection {
        get throws(ClientError) { try connector.connection() }
    }

    var operands: [String] {
        options.operands
    }

    /// The argument of an option that takes a number.
    func number(_ option: String) -> Int? {
        options[option].flatMap { Int($0) }
    }
}

/// Connects when the first call needs it: what is wrong with the command line is said first.
final class Connector {
    /// Where a daemon is looked for, in this order.
    let paths: [String]
    /// The argument of `--socket`; nil if there is none.
    let socket: String?
    /// That of `JokesConnection`, for a connection that is still to be made.
    var patience = Duration.seconds(10)
    private var made: JokesConnection?

    init(to paths: [String], socket: String?) {
        self.paths = paths
        self.socket = socket
    }

    func connection() throws(ClientError) -> JokesConnection {
        if let made { return made }
        let connection = try JokesConnection(to: paths, patience: patience)
        made = connection
        return connection
    }

    /// Lets the daemon go; the next call connects again.
    func disconnect() {
        made = nil
    }
}
