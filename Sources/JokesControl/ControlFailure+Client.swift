import Glibc
import JokesClient
import JokesProtocol

extension ControlFailure {
    /// What a failed call means to the person who gave the command.
    init(_ error: ClientError) {
        switch error {
        case .unreachable(let path, let reason, let code):
            self = Self.unreachable(path, reason, code)
        case .refused(let refusal):
            self = Self.refused(refusal)
        case .misunderstood(let reply):
            self.init(
                sentence: "The daemon answered \(reply).",
                hint: "It may be of another version than jokesctl: jokesd --version and jokesctl --version tell.",
                status: ExitStatus.refused)
        case .broken(let reason):
            self.init(
                sentence: reason, hint: "jokesctl status tells whether the daemon is there.",
                status: ExitStatus.unavailable)
        }
    }

    private static func unreachable(_ path: String, _ reason: String, _ code: Int32) -> ControlFailure {
        let hint =
            switch code {
            case EACCES, EPERM: "Your user may not connect to it; the system daemon serves the group jokes."
            case ENOTSOCK, ECONNREFUSED, ENOENT, ENOTDIR:
                "Start it with: systemctl --user start jokesd, or: jokesd &"
            default: "jokesctl --socket PATH names another socket."
            }
        return ControlFailure(
            sentence: "The daemon cannot be reached at \(path): \(reason).", hint: hint,
            status: ExitStatus.unavailable)
    }

    private static func refused(_ refusal: JokesError) -> ControlFailure {
        switch refusal {
        case .noSuchJoke(let id):
            ControlFailure(
                sentence: "There is no joke \(id).", hint: "jokesctl list shows the ids.", status: ExitStatus.refused)
        case .ambiguousID(let id, let matches):
            ControlFailure(
                sentence: "More than one joke begins with \(id):",
                hint: matches.map { "  \($0)" }.joined(separator: "\n"), status: ExitStatus.refused)
        case .noSuchSource(let name):
            ControlFailure(
                sentence: "There is no source \(name).", hint: "jokesctl sources lists them.",
                status: ExitStatus.refused)
        case .noJokes(let reason):
            ControlFailure(
                sentence: "There is nothing to tell: \(reason).",
                hint: "jokesctl status shows what is cached and how the sources do.", status: ExitStatus.tryLater)
        case .storageUnavailable(let reason, let hint):
            ControlFailure(
                sentence: "The daemon cannot use its storage: \(reason).", hint: hint, status: ExitStatus.tryLater)
        case .noSuchImport:
            ControlFailure(
                sentence: "The daemon has forgotten the import.", hint: "Nothing was imported; try again.",
                status: ExitStatus.tryLater)
        case .importRefused(let reason):
            ControlFailure(
                sentence: "The daemon refused the import: \(reason).", hint: "Nothing was imported.",
                status: ExitStatus.refused)
        case .busy(let retryAfterMs, let reason):
            ControlFailure(
                sentence: reason.map { "The daemon is busy: \($0)." } ?? "The daemon is busy.",
                hint: "Try again in \(retryAfterMs / 1000 + 1) s.",
                status: ExitStatus.tryLater)
        }
    }
}
