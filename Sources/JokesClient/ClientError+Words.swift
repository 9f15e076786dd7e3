import Glibc
import JokesCore
import JokesProtocol
import Varlink

// The words of every program for a call that came to nothing.

extension ClientError {
    /// What went wrong, in a sentence. It may hold what came from the network: to be made harmless before it is shown.
    package var sentence: String {
        switch self {
        case .noAddress(let reason): reason
        case .unreachable(let path, _, EAGAIN): "The daemon at \(path) takes no more connections."
        case .unreachable(let path, _, ENOTSOCK): "The daemon cannot be reached at \(path): that is no socket."
        case .unreachable(let path, let reason, _): "The daemon cannot be reached at \(path): \(reason)."
        case .refused(let refusal): refusal.sentence
        case .misunderstood(let reply, _): reply.sentence
        case .unexpected: "The daemon answered with something else than was asked for."
        case .silent(let time): "The daemon has not answered for \(time.components.seconds) s."
        case .broken(let reason): reason
        }
    }

    /// What somebody can do about it, likewise; nil where there is nothing to be said. Of several lines where a joke has
    /// to be chosen.
    package var hint: String? {
        switch self {
        case .noAddress: "It is a path, unix:PATH or unix:@NAME, in the option --socket or in JOKESD_SOCKET."
        case .unreachable(let path, _, let code):
            switch code {
            case EAGAIN: silenceHint
            case EACCES, EPERM:
                "The system daemon serves the group jokes: sudo usermod -aG jokes $USER, and log in anew."
            case ECONNREFUSED where path == SocketPath.system, ENOENT where path == SocketPath.system:
                "Start it with: sudo systemctl start jokesd.socket"
            case ECONNREFUSED, ENOENT, ENOTDIR: "Start it with: systemctl --user start jokesd, or: jokesd &"
            default: "The option --socket PATH, or JOKESD_SOCKET, names another socket."
            }
        case .refused(let refusal): refusal.hint
        case .misunderstood(_, let service), .unexpected(let service): service.hint
        case .silent: silenceHint
        case .broken: "jokesctl doctor says whether the daemon is there, and what is wrong with it."
        }
    }
}

private let silenceHint =
    "jokesctl doctor says more; systemctl restart jokesd, with --user where it is your own, starts it anew."

extension ClientError.ServiceName? {
    /// What may be wrong between it and this program.
    fileprivate var hint: String {
        switch self {
        case nil: "It may be of another version than \(jokesdVersion), as this is: jokesd --version tells."
        case let other? where other.product != "jokesd":
            "It is \(other.product) \(other.version): the option --socket PATH, or JOKESD_SOCKET, names another socket."
        case let other? where other.version == jokesdVersion:
            "Both are of version \(jokesdVersion): it is a mistake in one of them."
        case let other?:
            "It is jokesd \(other.version), and this is of \(jokesdVersion): install both of one version, and start it anew."
        }
    }
}

extension ErrorReply {
    /// Of the errors that every service may answer; of others there is nothing but the name.
    fileprivate var sentence: String {
        let subject = try? parameters(as: Subject.self)
        switch (self, subject?.method, subject?.parameter) {
        case (.permissionDenied, _, _): return "The daemon does not permit it."
        case (_, let method?, _): return "The daemon does not know the method \(method)."
        case (_, _, let parameter?): return "The daemon does not take the parameter \(parameter) as it was given."
        default: break
        }
        if subject?.interface != nil { return "What answers there is no jokesd." }
        return "The daemon answered with an error that is not known here, \(name)."
    }

    private struct Subject: Decodable {
        var interface: String?
        var method: String?
        var parameter: String?
    }
}

extension JokesError {
    fileprivate var sentence: String {
        switch self {
        case .noSuchJoke(JokeParameters.last): "No joke was told yet."
        case .noSuchJoke(let id): "There is no joke \(id)."
        case .ambiguousID(let id, _): "The beginning \(id) names more than one joke:"
        case .noSuchSource(let name): "There is no source \(name)."
        case .noJokes(let reason): "There is nothing to tell: \(reason)."
        case .storageUnavailable(let reason, _): "The daemon cannot use its storage: \(reason)."
        case .noSuchImport: "The daemon has forgotten the import."
        case .importRefused(let reason): "The daemon refused the import: \(reason)."
        // The reason is a sentence of its own already.
        case .cannotStart(let reason, _): "The daemon cannot start: \(reason)"
        case .busy(_, let reason): reason.map { "The daemon is busy: \($0)." } ?? "The daemon is busy."
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .noSuchJoke(JokeParameters.last): "jokesctl random tells one."
        case .noSuchJoke: "jokesctl list shows the ids."
        case .ambiguousID(_, let matches): matches.map { "  \($0)" }.joined(separator: "\n")
        case .noSuchSource: "jokesctl sources lists them."
        case .noJokes: "jokesctl status shows what is cached and how the sources do."
        case .storageUnavailable(_, let hint): hint ?? "jokesctl status says what can be done."
        case .cannotStart(_, let hint): hint ?? "journalctl -u jokesd, or with --user, says more."
        case .noSuchImport: "Nothing was imported; try again."
        case .importRefused: "Nothing was imported."
        case .busy(let retryAfterMs, _): "Try again in \(retryAfterMs / 1000 + 1) s."
        }
    }
}
