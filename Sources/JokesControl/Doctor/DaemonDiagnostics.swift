import Glibc
import JokesClient
import JokesCore
import Unix

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

/// Compares the version of the daemon with that of this program.
func versionDiagnostic(ofDaemon version: String, at path: String) -> Diagnostic {
    if version == jokesdVersion {
        return Diagnostic(.version, .ok, "jokesctl and jokesd have version \(jokesdVersion)")
    }
    return Diagnostic(
        .version, .warning, "jokesctl is \(jokesdVersion), jokesd is \(version)",
        advice: "Install the same version of both, then restart the daemon: \(restart(at: path))")
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
        case let error?:
            (words, advice) = (clause(of: error.sentence), error.advice(at: path))
        }
        guard isFound else { return Diagnostic(.socket, of: path, .failed, words, advice: advice) }
        return Diagnostic(.socket, of: path, isMissing ? .ok : .warning, words)
    }
}
