import JokesClient
import JokesCore
import JokesProtocol
import Unix

/// An error of jokesctl, as it is printed.
struct ControlFailure: Error, Hashable {
    /// The error as it follows `jokesctl: `: without a capital at the start or a period at the end.
    var message: String
    /// The next step.
    var hint: String?
    var status: ExitStatus

    /// A wrong command line. A suggestion replaces the hint.
    static func usage(_ message: String, suggestion: String? = nil, hint: String) -> ControlFailure {
        ControlFailure(message: message, hint: suggestion ?? hint, status: .usage)
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
        self.init(message: clause(of: "\(error)"), hint: hint, status: .internalError)
    }
}

extension ClientError {
    var exitStatus: ExitStatus {
        switch self {
        case .noAddress: .usage
        case .unreachable, .timedOut, .broken: .unavailable
        case .unknownError, .unexpected: .refused
        case .refused(let refusal):
            switch refusal {
            case .noSuchJoke, .ambiguousID, .unknownName, .sourceInUse, .importRefused, .sourceFailed,
                .configurationRefused:
                .refused
            case .cannotStart: .unavailable
            case .noJokes, .storageUnavailable, .noSuchImport, .busy: .tryLater
            }
        }
    }
}

/// The exit codes of jokesctl, with the numbers of sysexits(3). Scripts rely on them. A command throws one to end without a
/// message.
enum ExitStatus: Int32, Error, CaseIterable {
    case done = 0
    case refused = 1
    case usage = 64
    case unavailable = 69
    case internalError = 70
    case tryLater = 75

    /// The text of the help.
    var meaning: String {
        switch self {
        case .done: "Success, even if the program that reads the output stops early."
        case .refused:
            "Failure, such as an unknown joke or source, an ambiguous ID, a file that cannot be read or written, or a "
                + "notification that cannot be shown. For doctor: a check failed."
        case .usage: "Wrong command line."
        case .unavailable: "The daemon is unreachable, cannot start or does not answer."
        case .internalError: "Internal error, or the output cannot be written."
        case .tryLater:
            "Try again later: no joke matches, a source failed or reached its rate limit, or the daemon is busy or "
                + "cannot use its storage."
        }
    }
}
