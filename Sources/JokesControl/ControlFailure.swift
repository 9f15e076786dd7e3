/// A command that did not do what was asked: one sentence, a hint where there is one, and the exit code.
struct ControlFailure: Error, Hashable {
    var sentence: String
    /// The next step, as a sentence of its own.
    var hint: String?
    var status: Int32

    /// A command line that cannot be followed.
    static func usage(_ sentence: String, hint: String) -> ControlFailure {
        ControlFailure(sentence: sentence, hint: hint, status: ExitStatus.usage)
    }
}
