/// What jokesctl's exit codes mean; fixed, because scripts rely on them. The numbers from 64 are those of sysexits(3).
enum ExitStatus {
    static let done: Int32 = 0
    /// The daemon said no: no such joke, an id that could be several, …
    static let refused: Int32 = 1
    static let usage: Int32 = 64
    /// The daemon, or the other end of what is printed, cannot be reached.
    static let unavailable: Int32 = 69
    static let internalError: Int32 = 70
    /// It may work later: the source was asked a moment ago, the cache is empty as yet.
    static let tryLater: Int32 = 75
}

/// A command that did not do what was asked: one sentence, a hint where there is one, and the exit code.
struct ControlFailure: Error, Hashable {
    var sentence: String
    var hint: String?
    var status: Int32
}
