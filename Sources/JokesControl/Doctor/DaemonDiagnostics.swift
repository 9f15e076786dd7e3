import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// The command that restarts the daemon whose socket has the address.
private func restart(at path: String) -> String {
    ServiceManagerKind(ofSocket: path)?.command("restart jokesd.service")
        ?? "stop jokesd, then run: jokesd --socket \(shellWord(path)) &"
}

extension ClientError {
    /// The advice of `doctor`, which is never to run `doctor`.
    func advice(at path: String) -> String? {
        switch self {
        case .broken(_, let hint?): return hint
        case .timedOut, .broken, .unreachable(_, _, EAGAIN):
            let manager = hasSystemd ? ServiceManagerKind(ofSocket: path) : nil
            let log = manager.map { "See the log: \($0.log). " } ?? ""
            return "\(log)Restart the daemon: \(restart(at: path))"
        case .noAddress, .unreachable, .refused, .unknownError, .unexpected: return hint
        }
    }

    /// The diagnostic about a daemon that did not answer a call.
    func diagnostic(at path: String) -> Diagnostic {
        Diagnostic(.daemon, .failed, clause(of: sentence), advice: advice(at: path))
    }
}

/// The answers of a daemon that serves.
struct DaemonAnswers {
    var status: StatusMethod.Reply
    /// The diagnostics of the daemon itself.
    var diagnosis: Result<[Diagnostic], ClientError>
    /// The address of its socket.
    var path: String

    var diagnostics: [Diagnostic] {
        [Diagnostic(.daemon, .ok, "jokesd \(status.version) answers"), version] + ofDaemon
    }

    private var version: Diagnostic {
        if status.version == jokesdVersion {
            return Diagnostic(.version, .ok, "jokesctl and jokesd have version \(jokesdVersion)")
        }
        return Diagnostic(
            .version, .warning, "jokesctl is \(jokesdVersion), jokesd is \(status.version)",
            advice: "Install the same version of both, then restart the daemon: \(restart(at: path))")
    }

    /// The diagnostics of the daemon. If it lacks the method `Diagnose`, `version` says so.
    private var ofDaemon: [Diagnostic] {
        switch diagnosis {
        case .success(let diagnostics): diagnostics
        case .failure(.unknownError): []
        case .failure(let error): [error.diagnostic(at: path)]
        }
    }
}

/// The address of a socket, and the result of a connection to it.
struct SocketAttempt {
    let path: String
    /// Nil if a service answers.
    var error: ClientError?

    /// The diagnostic about this socket. Its failure does not matter if `isFound`: a service answers at another socket.
    /// `start` is the advice to start the daemon, if it is given here.
    func diagnostic(isFound: Bool, start: String?) -> Diagnostic {
        let words: String
        let advice: String?
        var isMissing = false
        switch error {
        case nil: return Diagnostic(.socket, of: path, .ok, "a service listens at \(path)")
        case .unreachable(let socket, _, ENOENT) where !socket.hasPrefix("@"):
            isMissing = true
            words = "no socket at \(path)\(exists(parentFolder(of: socket)) ? "" : ": its folder does not exist")"
            advice = start
        case .unreachable(let socket, _, ECONNREFUSED) where !socket.hasPrefix("@"):
            words = "no service listens at \(path): the socket remains from an earlier daemon"
            advice = start
        case .unreachable(let socket, _, EACCES), .unreachable(let socket, _, EPERM):
            (words, advice) = denial(at: socket)
        case let error?:
            (words, advice) = (clause(of: error.sentence), error.advice(at: path))
        }
        guard isFound else { return Diagnostic(.socket, of: path, .failed, words, advice: advice) }
        return Diagnostic(.socket, of: path, isMissing ? .ok : .warning, words)
    }

    /// The reason why the user has no access, and how to get access.
    private func denial(at socket: String) -> (words: String, advice: String) {
        let identity = ProcessIdentity.current
        let name = AccountLine.all(of: "/etc/passwd").first { $0.id == identity.uid }?.name
        let user = name.map { "'\($0)'" } ?? "\(identity.uid)"
        let refusal = "user \(user) has no access to \(path)"
        let groupMayWrite: UInt32 = 0o020
        guard let owner = groupAndMode(of: socket), owner.mode & groupMayWrite != 0 else {
            return ("\(refusal), and no group has access", deniedHint)
        }
        let account = AccountLine.all(of: "/etc/group").first { $0.id == owner.gid }
        let group = account?.name ?? "\(owner.gid)"
        if identity.gids.contains(owner.gid) {
            let advice = "Check the folders above the socket: each must give you execute permission."
            return ("\(refusal), although this session has the group \(group)", advice)
        }
        if let name, account?.members.contains(name) == true {
            return (
                "\(refusal): this session started before \(name) joined the group \(group)",
                "Log out and in again; until then, in this terminal: newgrp \(group)"
            )
        }
        // A user of a directory service is not in the file, and its name is unknown here.
        let advice =
            name.map { "sudo usermod -aG \(group) \($0), then log in again" }
            ?? "Ask the administrator to add you to the group \(group), then log in again."
        return ("\(refusal): \(name ?? "the user") is not in the group \(group)", advice)
    }
}
