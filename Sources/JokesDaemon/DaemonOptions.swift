import CommandLineTools
import Unix

/// The command line of jokesd.
struct DaemonOptions: Hashable {
    /// The action that the options choose.
    enum Mode: Hashable {
        case serve
        /// Syncs every enabled source once, then exits.
        case syncOnce
        case checkConfiguration
        case printHelp
        case printVersion
    }

    var mode: Mode = .serve
    var configurationPath: String?
    var stateFolder: String?
    var socketPath: String?
    var logLevel: LogLevel = .info

    static let all = [
        CommandOption("config", argument: "FILE", .file, "Configuration file."),
        CommandOption("state-dir", argument: "DIR", .file, "Folder for jokes and favorites."),
        CommandOption("socket", argument: "PATH", .file, "Socket to listen on: a path, unix:PATH or unix:@NAME."),
        CommandOption("once", "Sync every enabled source once, print a line for each, and exit."),
        CommandOption("check-config", "Check the configuration and exit."),
        CommandOption(
            "log-level", argument: "LEVEL", .oneOf(LogLevel.allCases.map(\.name)),
            "error, warning, info (default) or debug."),
        CommandOption("version", "Print the version and exit."),
        CommandOption("help", letter: "h", "Print this help and exit."),
    ]

    static let help = [
        "Usage: jokesd [OPTION...]",
        helpParagraph("Collect jokes from many sources, cache them, and serve them on a Unix socket."),
        optionsHelp(all),
        helpParagraph(
            """
            Without --config, jokesd reads ~/.config/jokesd/config.json, or else /etc/jokesd/config.json. If neither
            file exists, it uses the built-in configuration. Without --state-dir, it uses $STATE_DIRECTORY, or else
            ~/.local/state/jokesd. $XDG_CONFIG_HOME replaces ~/.config, and $XDG_STATE_HOME replaces ~/.local/state.
            """),
        helpParagraph(
            """
            jokesd listens on the socket that systemd passes. Without one, it uses the first of: --socket, $JOKESD_SOCKET,
            $XDG_RUNTIME_DIR/jokesd/jokesd.sock, /run/jokesd/jokesd.sock. If $XDG_RUNTIME_DIR is not set, a user's
            daemon uses /run/user/UID. --socket 'unix:PATH;mode=0660' sets the mode of the socket. unix:@NAME is an
            abstract socket.
            """),
    ].joined(separator: "\n\n")

    init(_ arguments: [String]) throws(UsageError) {
        let given = try CommandLineOptions(arguments, accepting: Self.all)
        if let operand = given.operands.first { throw UsageError("unexpected argument '\(operand)'") }
        configurationPath = given["config"]
        stateFolder = given["state-dir"]
        socketPath = given["socket"]
        logLevel = given["log-level"].flatMap { name in LogLevel.allCases.first { $0.name == name } } ?? .info
        let modes: [(option: String, mode: Mode)] = [
            ("help", .printHelp), ("version", .printVersion), ("check-config", .checkConfiguration),
            ("once", .syncOnce),
        ]
        mode = modes.first { given.contains($0.option) }?.mode ?? .serve
    }
}
