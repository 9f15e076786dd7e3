import Unix

extension ControlFailure {
    /// What the system refused where a command counted on it: mostly to write what was to be printed.
    init(_ error: SystemError) {
        let hint =
            error.code == badDescriptor
            ? "It is closed, or not open for that; >/dev/null takes what nobody is to see."
            : "What was printed is not complete."
        self.init(sentence: "\(error)", hint: hint, status: ExitStatus.internalError)
    }
}
