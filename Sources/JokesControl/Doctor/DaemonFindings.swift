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

    /// The finding about a daemon that did not answer a call.
    func finding(at path: String) -> Wire.Finding {
        Wire.Finding(.daemon, .failed, clause(of: sentence), advice: advice(at: path))
    }
}

/// The answers of a daemon that serves.
struct DaemonAnswers {
    var status: StatusMethod.Reply
    var sources: [Wire.SourceHealth] = []
    /// The findings of the daemon itself.
    var diagnosis: Result<[Wire.Finding], ClientError>
    /// The methods of its interface; nil if the daemon did not return them.
    var methods: Set<String>?
    /// The address of its socket.
    var path: String

    var findings: [Wire.Finding] {
        [Wire.Finding(.daemon, .ok, "jokesd \(status.version) answers"), version] + own
    }

    private var version: Wire.Finding {
        let known = (try? InterfaceDescription(JokesInterface.description).methodNames) ?? []
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

    /// The findings of the daemon. If it lacks the method `Diagnose`, `version` says so.
    private var own: [Wire.Finding] {
        switch diagnosis {
        case .success(let findings): findings
        case .failure(.misunderstood): []
        case .failure(let error): [error.finding(at: path)]
        }
    }
}

extension InterfaceDescription {
    var methodNames: Set<String> {
        Set(members.compactMap { if case .method = $0.kind { $0.name } else { nil } })
    }
}
