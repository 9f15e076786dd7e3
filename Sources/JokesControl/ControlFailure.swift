/// A command that failed: what failed and why, a hint if there is one, and the exit code.
struct ControlFailure: Error, Hashable {
    /// What failed and why, as it follows `jokesctl: `: without a capital at the start or a period at the end.
    var message: String
    /// The next step, a command or an action, on lines of its own.
    var hint: String?
    var status: Int32

    /// A wrong command line. A suggestion, such as `Did you mean 'list'?`, takes the place of the hint.
    static func usage(_ message: String, suggestion: String? = nil, hint: String) -> ControlFailure {
        ControlFailure(message: message, hint: suggestion ?? hint, status: ExitStatus.usage)
    }
}
