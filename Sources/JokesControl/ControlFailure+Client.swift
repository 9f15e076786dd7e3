import JokesClient
import JokesProtocol
import Unix

extension ControlFailure {
    /// What a failed call means to the person who gave the command; the hint repeats the argument of `--socket`.
    init(_ error: ClientError, socket: String? = nil) {
        let program = "jokesctl" + (socket.map { " --socket \(shellWord($0))" } ?? "")
        let hint = error.hint?.replacing("Try: jokesctl", with: "Try: \(program)")
        self.init(message: clause(of: error.sentence), hint: hint, status: error.exitStatus)
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
