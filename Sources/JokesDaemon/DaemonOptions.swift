import Unix

/// What the command line of jokesd asks for.
struct DaemonOptions: Hashable {
    /// What is to be done.
    enum Task: Hashable {
        case serve
        /// Ask every source once, then end.
        case syncOnce
        case checkConfiguration
        case printHelp
        case printVersion
    }

    var task: Task = .serve
    var configurationPath: String?
    var stateFolder: String?
    var socketPath: String?
    var logLevel: LogLevel = .info

    static let specifications = [
        OptionSpecification("config", argument: "FILE", "The configuration."),
        OptionSpecification("state-dir", argument: "DIR", "Where jokes and favorites are kept."),
        OptionSpecification("socket", argument: "PATH", "Where to listen: a path or an address."),
        OptionSpecification("once", "Ask every source once, print a line for each, and end."),
        OptionSpecification("check-config", "Check the configuration and end."),
        OptionSpecification("log-level", argument: "L", "error, warning, info or debug."),
        OptionSpecification("version", "Print the version."),
        OptionSpecification("help", letter: "h", "Print this help."),
    ]

    static let help = [
        "Usage: jokesd [OPTION…]",
        helpParagraph("Gathers jokes from many sources, keeps them, and serves them on a Unix socket."),
        optionsHelp(specifications),
        helpParagraph(
            """
            The configuration is $XDG_CONFIG_HOME/jokesd/config.json, or /etc/jokesd/config.json, or built in. The state is
            kept in $STATE_DIRECTORY, or in $XDG_STATE_HOME/jokesd.
            """),
        helpParagraph(
            """
            The socket is what systemd passes, or $JOKESD_SOCKET, or $XDG_RUNTIME_DIR/jokesd/jokesd.sock, or
            /run/jokesd/jokesd.sock. An address is unix:PATH;mode=0660, or unix:@NAME, which has no file.
            """),
    ].joined(separator: "\n\n")

    /// - Throws: `UsageError` for what cannot be followed.
    init(_ arguments: [String]) throws(UsageError) {
        let given = try CommandLineOptions(arguments, accepting: Self.specifications)
        if let operand = given.operands.first { throw UsageError("jokesd takes options only, not \(operand).") }
        configurationPath = given["config"]
        stateFolder = given["state-dir"]
        socketPath = given["socket"]
        if let name = given["log-level"] {
            guard let level = LogLevel(name: name) else {
                throw UsageError("There is no log level \(name): it is one of error, warning, info and debug.")
            }
            logLevel = level
        }
        task = Self.task(of: given)
    }

    private static func task(of given: CommandLineOptions) -> Task {
        if given.contains("help") { return .printHelp }
        if given.contains("version") { return .printVersion }
        if given.contains("check-config") { return .checkConfiguration }
        return given.contains("once") ? .syncOnce : .serve
    }
}
