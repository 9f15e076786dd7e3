import Unix

/// The folder of the database and the journal: finds, creates and locks it.
enum StateFolder {
    private static let otherFolderHint = "Use another folder: jokesd --state-dir DIR"

    /// Returns the folder of `--state-dir`, of systemd, or of the user. Creates the folder if it is missing.
    static func prepare(_ options: DaemonOptions) throws(DaemonFailure) -> String {
        guard let path = options.stateFolder ?? folderFromSystemd ?? personalStateFolder("jokesd") else {
            throw DaemonFailure(
                .usage, "no state folder: $STATE_DIRECTORY is not set, and $HOME is not an absolute path",
                hint: "Name one: jokesd --state-dir DIR")
        }
        do {
            try makeFolder(path, mode: 0o700)
            return path
        } catch {
            throw DaemonFailure(.cannotCreate, error.description, hint: otherFolderHint)
        }
    }

    /// The first folder of `$STATE_DIRECTORY`, a list with colons (systemd.exec(5)).
    private static var folderFromSystemd: String? {
        environment("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    }

    /// Locks the folder, so that only one daemon uses it.
    static func lock(_ folder: String, for mode: DaemonOptions.Mode) throws(DaemonFailure) -> StateLock {
        do {
            return try StateLock(at: "\(folder)/lock")
        } catch {
            switch error {
            case .held(let holder):
                let process = holder.map { " by process \($0)" } ?? ""
                let alternative =
                    mode == .syncOnce
                    ? "To sync with the running daemon: jokesctl refresh"
                    : "To start a second one: jokesd --state-dir DIR --socket PATH"
                throw DaemonFailure(
                    .tryLater, "state folder \(folder) is in use\(process)",
                    hint: "Another jokesd uses this folder. \(alternative)")
            case .system(let error): throw DaemonFailure(.cannotCreate, error.description, hint: otherFolderHint)
            }
        }
    }
}
