import JokesClient
import JokesProtocol
import Unix

struct ControlFailure: Error, Hashable {
    /// The error as it follows `jokesctl: `: without a capital at the start or a period at the end.
    var message: String
    /// The next step.
    var hint: String?
    var status: Int32

    /// A wrong command line. A suggestion replaces the hint.
    static func usage(_ message: String, suggestion: String? = nil, hint: String) -> ControlFailure {
        ControlFailure(message: message, hint: suggestion ?? hint, status: ExitStatus.usage)
    }
}

extension ControlFailure {
    /// The failure of a call. The hint repeats the option `--socket`.
    init(_ error: ClientError, socket: String? = nil) {
        let program = "jokesctl" + (socket.map { " --socket \(shellWord($0))" } ?? "")
        let hint = error.hint?.replacing("Try: jokesctl", with: "Try: \(program)")
        self.init(message: clause(of: error.sentence), hint: hint, status: error.exitStatus)
    }

    /// The failure of a system call, usually of writing the output.
    init(_ error: SystemError) {
        let hint =
            error.code == badDescriptor
            ? "Open standard output for writing, or use >/dev/null to discard the output." : "The output is incomplete."
        self.init(message: clause(of: "\(error)"), hint: hint, status: ExitStatus.internalError)
    }
}

extension ClientError {
    fileprivate var exitStatus: Int32 {
        switch self {
        case .noAddress: ExitStatus.usage
        case .unreachable, .silent, .broken: ExitStatus.unavailable
        case .misunderstood, .unexpected: ExitStatus.refused
        case .refused(let refusal):
            switch refusal {
            case .noSuchJoke, .ambiguousID, .noSuchSource, .sourceInUse, .importRefused: ExitStatus.refused
            case .cannotStart: ExitStatus.unavailable
            case .noJokes, .storageUnavailable, .noSuchImport, .busy: ExitStatus.tryLater
            }
        }
    }
}
