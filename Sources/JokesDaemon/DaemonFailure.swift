import JokesStore

/// An error that ends the program, with its exit code and the next step.
struct DaemonFailure: Error, Hashable {
    /// The exit codes of sysexits(3). systemd does not restart the service after `usage`, `wrongData` and
    /// `configuration`.
    enum Status: Int32 {
        case usage = 64
        /// A file is of another program or of a newer version.
        case wrongData = 65
        case unavailable = 69
        case internalError = 70
        case cannotCreate = 73
        case inputOutput = 74
        case tryLater = 75
        /// The configuration is invalid.
        case configuration = 78
    }

    var status: Status
    var sentence: String
    var hint: String?

    init(_ status: Status, _ sentence: String, hint: String? = nil) {
        self.status = status
        self.sentence = sentence
        self.hint = hint
    }

    /// A failure of the store.
    init(_ error: StoreError) {
        status =
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
        sentence = error.description
    }
}
