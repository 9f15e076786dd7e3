import CommandLineTools
import JokesClient

/// A command with its arguments and environment.
struct Invocation {
    let command: Command
    /// The checked options.
    let options: CommandLineOptions
    let connector: Connector
    let printer: Printer

    var daemon: JokesConnection {
        get throws(ClientError) { try connector.connection() }
    }

    var operands: [String] {
        options.operands
    }

    /// The argument of a numeric option.
    func number(_ option: String) -> Int? {
        options[option].flatMap { Int($0) }
    }
}

/// Connects before the first call, so that errors in the command line are reported first.
final class Connector {
    /// The addresses, in the order in which they are tried.
    let paths: [String]
    /// The argument of `--socket`; nil if there is none.
    let socket: String?
    /// The timeout of a new connection; see `JokesConnection`.
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

    /// Closes the connection. The next call connects again.
    func disconnect() {
        made = nil
    }
}
