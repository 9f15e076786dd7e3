import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// The command that restarts the daemon whose socket has the address.
private func restart(at path: String) -> String {
    ServiceManagerKind(ofSocket: path)?.command("restart", "jokesd.service")
        ?? "stop jokesd, then run: jokesd --socket \(shellWord(path)) &"
}

extension ClientError {
    /// The advice of `doctor`, which is never to run `doctor`.
    func advice(at path: String) -> String? {
        switch self {
        case .broken(_, let hint?): return hint
        case .silent, .broken, .unreachable(_, _, EAGAIN):
            let log = ServiceManagerKind(ofSocket: path).map { "See the log: \($0.log). " } ?? ""
            return "\(log)Restart the daemon: \(restart(at: path))"
        case .noAddress, .unreachable, .refused, .misunderstood, .unexpected: return hint
        }
    }
}

/// What the daemon said when it was asked.
struct DaemonAnswers {
    var status: Result<StatusMethod.Reply, ClientError>
    var sources: Result<[Wire.SourceHealth], ClientError>?
    /// What it found itself.
    var diagnosis: Result<[Wire.Finding], ClientError>?
    /// The methods of its interface; nil where it does not say.
    var methods: Set<String>?
    /// Those that this program knows.
    var known: Set<String>
    /// The address of the socket where it answered.
    var path: String
    var now: Timestamp

    var findings: [Wire.Finding] {
        switch status {
        case .failure(let error): [failed(error)]
        case .success(let status):
            [Wire.Finding(.daemon, .ok, "jokesd \(status.version) answers"), version(status)] + own(status)
        }
    }

    private func failed(_ error: ClientError) -> Wire.Finding {
        Wire.Finding(.daemon, .failed, clause(of: error.sentence), advice: error.advice(at: path))
    }

    // MARK: Versions

    private func version(_ status: StatusMethod.Reply) -> Wire.Finding {
        let lacking = methods.map { known.subtracting($0).sorted() } ?? []
        let unknown = methods.map { $0.subtracting(known).sorted() } ?? []
        var differences: [String] = []
        if status.version != jokesdVersion {
            differences.append("jokesctl is \(jokesdVersion), jokesd is \(status.version)")
        }
        if !lacking.isEmpty { differences.append("the daemon lacks \(lacking.joined(separator: ", "))") }
        if !unknown.isEmpty { differences.append("jokesctl does not know \(unknown.joined(separator: ", "))") }
        if differences.isEmpty {
            return Wire.Finding(.version, .ok, "jokesctl and jokesd have version \(jokesdVersion)")
        }
        return Wire.Finding(
            .version, .warning, differences.joined(separator: "; "),
            advice: "Install the same version of both, then restart the daemon: \(restart(at: path))")
    }

    // MARK: What the daemon found

    /// By an older daemon, what can be told without its help.
    private func own(_ status: StatusMethod.Reply) -> [Wire.Finding] {
        switch diagnosis {
        case .success(let findings)?: return findings
        case .failure(.misunderstood)?, nil:
            let health = (try? sources?.get()) ?? []
            let reload = ServiceManagerKind(ofSocket: path)?.command("reload", "jokesd.service") ?? "kill -HUP PID"
            return status.findings(now: now)
                + health.findings(isOffline: status.offline, reload: reload, now: now)
        case .failure(let error)?: return [failed(error)]
        }
    }
}
