import Glibc
import JokesCore
package import JokesProtocol
import Unix
package import Varlink

/// The failure of a call to the daemon.
package enum ClientError: Error, Sendable {
    /// The address is invalid. The reason is a sentence.
    case noAddress(reason: String)
    /// The connection failed, with the kernel's reason and errno.
    case unreachable(path: String, reason: String, errno: Int32)
    /// The daemon returned an error of its interface.
    case refused(JokesError)
    /// The service returned an unknown error: it has another version, or is not jokesd.
    case unknownError(ErrorReply, by: ServiceName? = nil)
    /// The service sent a reply that does not fit the call.
    case unexpected(by: ServiceName? = nil)
    /// The daemon did not answer in this time.
    case timedOut(after: Duration)
    /// The connection ended, or the service sent invalid data.
    case broken(reason: String, hint: String? = nil)

    /// The identity that a service reports.
    package struct ServiceName: Decodable, Hashable, Sendable {
        var product: String
        var version: String
    }

    package init(_ error: VarlinkError) {
        switch error {
        case .unreachable(let path, let reason, let errno):
            self = .unreachable(path: path, reason: reason, errno: errno)
        case .refused(let reply):
            let refusal = reply.error(as: JokesError.self, of: JokesInterface.name)
            self = refusal.map { .refused($0) } ?? .unknownError(reply)
        case .invalidAddress(let address, let reason):
            self = .noAddress(reason: "'\(address)' is not a socket address: \(reason).")
        case .unexpectedReply: self = .unexpected()
        case .malformed:
            self = .broken(
                reason: "The service at this socket sent an invalid answer; it may not be jokesd.",
                hint: otherSocketHint)
        default:
            self = .broken(reason: error.description)
        }
    }
}

/// The codes of connect(2) if nothing listens at a path.
let absentCodes = [ECONNREFUSED, ENOENT, ENOTDIR]

// MARK: Messages and hints, the same in all programs

extension ClientError {
    /// The sentence, and the hint on the next lines.
    package var words: String { [sentence, hint].compactMap(\.self).joined(separator: "\n") }

    /// The error as a sentence. It may quote the service: sanitize it before it is shown.
    package var sentence: String {
        switch self {
        case .noAddress(let reason): reason
        case .unreachable(let path, _, EAGAIN): "The daemon at \(path) accepts no more connections."
        case .unreachable(let path, _, ENOTSOCK): "Cannot connect to the daemon at \(path): not a socket."
        case .unreachable(let path, let reason, _): "Cannot connect to the daemon at \(path): \(reason)."
        case .refused(let refusal): refusal.sentence
        case .unknownError(let reply, _): reply.sentence
        case .unexpected: "The daemon sent an unexpected answer."
        case .timedOut(let time): "The daemon has not answered for \(time.components.seconds) s."
        case .broken(let reason, _): reason
        }
    }

    /// The next step. It has several lines if it lists matching jokes.
    package var hint: String? {
        switch self {
        case .noAddress: "Use a path, unix:PATH or unix:@NAME in --socket or $JOKESD_SOCKET."
        case .unreachable(let path, _, let code):
            switch code {
            case EAGAIN: doctorHint
            case EACCES, EPERM:
                path == SocketPath.system
                    ? "To use the system daemon, join the group jokes: sudo usermod -aG jokes $USER, then log in again"
                    : deniedHint
            case _ where absentCodes.contains(code):
                startHint(
                    at: path, personal: SocketPath.personal(environment: environment), hasSystemd: hasSystemd)
            default: otherSocketHint
            }
        case .refused(let refusal): refusal.hint
        case .unknownError(let reply, nil) where reply.lacksInterface: otherSocketHint
        case .unknownError(_, let service), .unexpected(let service): service.hint
        case .broken(_, let hint): hint ?? doctorHint
        case .timedOut: doctorHint
        }
    }
}

/// The next step if no daemon listens at the path. `personal` is the socket of the user daemon, nil without
/// `XDG_RUNTIME_DIR`; `hasSystemd` is true if systemd manages this machine; `isRoot` is true for root, which
/// can write to `/run`. `running` is the process of a jokesd that uses the state of this user.
package func startHint(
    at path: String, personal: String?, hasSystemd: Bool, isRoot: Bool = geteuid() == 0,
    running: Int32? = runningDaemon
) -> String {
    if let running {
        return "jokesd runs as process \(running), but not at this socket. Name its socket with --socket PATH or "
            + "$JOKESD_SOCKET, or stop it: kill \(running)"
    }
    return switch path {
    case personal: "Start the daemon: \(hasSystemd ? "systemctl --user start jokesd, or: " : "")jokesd &"
    case SocketPath.system where hasSystemd: "Start the daemon: sudo systemctl start jokesd.socket"
    case SocketPath.system where personal == nil && !isRoot:
        "Start the daemon: export JOKESD_SOCKET=~/jokesd.sock; jokesd &"
    case SocketPath.system: "Start the daemon: jokesd &"
    default: "Start the daemon: jokesd --socket \(shellWord(path)) &"
    }
}

/// The process of the jokesd that uses the default state folder of this user; nil if none runs.
package var runningDaemon: Int32? {
    personalStateFolder("jokesd").flatMap { StateLock.holder(of: "\($0)/lock", running: "jokesd") }
}

/// True if systemd manages this machine.
package var hasSystemd: Bool { exists("/run/systemd/system") }

private let doctorHint = "Try: jokesctl doctor"

private let prefixHint = "Use a longer prefix."

private let cutHint = "At most \(JokesError.maxMatches) matches are listed. \(prefixHint)"

let otherSocketHint = "Name another socket with --socket PATH or $JOKESD_SOCKET."

/// The next step if the user may not connect to a socket, and no group is known that may.
package let deniedHint = "The socket may belong to another user. \(otherSocketHint)"

extension ClientError.ServiceName? {
    /// The likely reason why the service and this program do not understand each other.
    fileprivate var hint: String {
        switch self {
        case nil: "This program has version \(jokesdVersion). Compare with: jokesd --version"
        case let other? where other.product != "jokesd":
            "The service is \(other.product) \(other.version). \(otherSocketHint)"
        case let other? where other.version == jokesdVersion:
            "Both programs have version \(jokesdVersion): please report this as a bug."
        case let other?:
            "jokesd has version \(other.version), this program has version \(jokesdVersion). Install the same version of "
                + "both, then restart the daemon."
        }
    }
}

extension ErrorReply {
    fileprivate var sentence: String {
        let subject = try? parameters(as: Subject.self)
        switch (self, subject?.method, subject?.parameter) {
        case (.permissionDenied, _, _): return "The daemon denied permission."
        case (_, let method?, _): return "The daemon does not know the method \(method)."
        case (_, _, let parameter?): return "The daemon rejected the parameter \(parameter)."
        default: break
        }
        if lacksInterface { return "The service at this socket is not jokesd." }
        return "The daemon answered with an unknown error: \(name)."
    }

    fileprivate var lacksInterface: Bool { (try? parameters(as: Subject.self))?.interface != nil }

    private struct Subject: Decodable {
        var interface: String?
        var method: String?
        var parameter: String?
    }
}

extension JokesError {
    fileprivate var sentence: String {
        switch self {
        case .noSuchJoke(JokeParameters.last):
            "No joke was printed yet, or the last one was removed or is excluded by the filter."
        case .noSuchJoke(let id): "No joke matches '\(id)'."
        case .ambiguousID(let id, _): "ID prefix '\(id)' is ambiguous:"
        case .unknownName(let kind, let name, _): "Unknown \(kind.rawValue) '\(name)'."
        case .sourceInUse(let name): "Source '\(name)' is in use."
        case .noJokes(let reason): "No joke to show: \(reason)."
        case .storageUnavailable(let reason, _): "The daemon cannot use its storage: \(reason)."
        case .noSuchImport: "The daemon no longer has this import."
        case .importRefused(let reason): "The daemon refused the import: \(reason)."
        case .cannotStart(let reason, _): "The daemon cannot start: \(clause(of: reason))."
        case .sourceFailed(let reason, _): "Cannot read the source: \(clause(of: reason))."
        case .configurationRefused(let reason, _): "The daemon refused the configuration: \(clause(of: reason))."
        case .busy(_, let reason): reason.map { "Not now: \($0)." } ?? "The daemon is busy."
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .noSuchJoke(JokeParameters.last): "Try: jokesctl random"
        case .noSuchJoke: "Try: jokesctl list. A joke that the filter excludes is not shown."
        case .ambiguousID(_, let matches):
            (matches.map { "  \($0)" } + [matches.count < Self.maxMatches ? prefixHint : cutHint])
                .joined(separator: "\n")
        case .unknownName(_, _, let nearest?): "Did you mean '\(nearest)'?"
        case .unknownName(.source, _, _): "Try: jokesctl sources"
        case .unknownName(.category, _, _): "Try: jokesctl categories"
        case .unknownName: "Try: jokesctl stats"
        case .sourceInUse(StarterJokes.source): "The jokes of this source come with jokesd."
        case .sourceInUse(let name): "First remove it from the configuration: jokesctl source remove \(name)"
        case .noJokes: "Try: jokesctl status"
        case .storageUnavailable(_, let hint): hint ?? "Try: jokesctl status"
        case .cannotStart(_, let hint):
            hint
                ?? (hasSystemd
                    ? "See the log: journalctl --user -u jokesd (system daemon: journalctl -u jokesd)"
                    : "See the log of jokesd, which it writes to standard error.")
        case .sourceFailed(_, let hint), .configurationRefused(_, let hint): hint
        case .noSuchImport: "Nothing was imported. Try again."
        case .importRefused: "Nothing was imported."
        case .busy(let retryAfterMs, _): "Try again in \(TimeInWords.length(.milliseconds(max(1000, retryAfterMs))))."
        }
    }
}
