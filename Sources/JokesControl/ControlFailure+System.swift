import JokesClient
import Unix

extension ControlFailure {
    /// A system call that failed where a command depends on it: in most cases, writing the output.
    init(_ error: SystemError) {
        let hint =
            error.code == badDescriptor
            ? "Open standard output for writing, or use >/dev/null to discard the output." : "The output is incomplete."
        self.init(message: clause(of: "\(error)"), hint: hint, status: ExitStatus.internalError)
    }
}
