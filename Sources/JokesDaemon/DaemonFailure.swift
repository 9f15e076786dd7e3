import JokesStore

/// An error that ends the program or refuses a reload, with its exit code and a hint.
struct DaemonFailure: Error, Hashable {
    /// The exit codes of sysexits(3). systemd does not restart the service after `usage`, `wrongData` and
    /// `configuration`.
    enum ExitCode: Int32 {
        case usage = 64
        /// A file belongs to another program, or a newer version wrote it.
        case wrongData = 65
        case unavailable = 69
        case internalError = 70
        case cannotCreate = 73
        case inputOutput = 74
        case tryLater = 75
        /// The configuration is invalid.
        case configuration = 78
    }

    var exitCode: ExitCode
    /// The error for the log, without "jokesd:". It may have several lines.
    var message: String
    /// The next step for the user: a command or an action.
    var hint: String?

    init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }

    /// Creates the failure for an error of the store.
    init(_ error: StoreError) {
        exitCode =
            switch error.code {
            case .newerSchema, .foreign: .wrongData
            case .busy: .tryLater
            case .cannotOpen: .cannotCreate
            case .noSuchJoke, .wrongCursor, .full, .readOnly, .unreadable, .inputOutput, .corrupt, .corruptIndex,
                .unexpected:
                .inputOutput
            }
        hint =
            switch error.code {
            case .readOnly:
                "Make the folder writable, then start jokesd again, or use another folder: jokesd --state-dir DIR"
            case .full: "Free some disk space, then start jokesd again."
            default: error.hint
            }
        message = error.description
    }
}
