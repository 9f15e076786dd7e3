import JokesStore

/// Why the daemon cannot run: a sentence, a hint, and the exit code of sysexits(3).
struct DaemonFailure: Error, Hashable {
    var sentence: String
    var hint: String?
    var status: Int32

    static let usage: Int32 = 64
    /// A file is of another program or of a newer version. systemd does not restart the service.
    static let wrongData: Int32 = 65
    static let unavailable: Int32 = 69
    static let internalError: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let tryLater: Int32 = 75
    /// The configuration is invalid. systemd does not restart the service: it would fail again.
    static let configuration: Int32 = 78
}

extension DaemonFailure {
    /// A failure of the store.
    init(_ error: StoreError) {
        let status =
            switch error.code {
            case .newerSchema, .foreign: Self.wrongData
            case .busy: Self.tryLater
            case .cannotOpen: Self.cannotCreate
            case .noSuchJoke, .wrongCursor, .full, .readOnly, .unreadable, .inputOutput, .corrupt, .corruptIndex,
                .unexpected:
                Self.inputOutput
            }
        let hint =
            switch error.code {
            case .readOnly:
                "Make the folder writable, then start jokesd again, or use another folder: jokesd --state-dir DIR"
            case .full: "Free some disk space, then start jokesd again."
            default: error.hint
            }
        self.init(sentence: error.description, hint: hint, status: status)
    }
}
