/// What jokesctl's exit codes mean; fixed, because scripts rely on them. The numbers from 64 are those of sysexits(3).
enum ExitStatus {
    static let done: Int32 = 0
    /// The daemon said no: no such joke, an id that could be several, …
    static let refused: Int32 = 1
    static let usage: Int32 = 64
    /// The daemon cannot be reached, or does not answer.
    static let unavailable: Int32 = 69
    /// What was to be printed could not be, or something is wrong with jokesctl itself.
    static let internalError: Int32 = 70
    /// It may work later: the source was asked a moment ago, the cache is empty as yet.
    static let tryLater: Int32 = 75

    /// All of them, in the words of the help.
    static let meanings: [(status: Int32, meaning: String)] = [
        (done, "Success, even if the program that reads the output stops early."),
        (
            refused,
            "Failure, such as an unknown joke or source, an ambiguous ID, or a file that cannot be read or written. "
                + "For doctor: a check failed."
        ),
        (usage, "Wrong command line."),
        (unavailable, "The daemon is unreachable, cannot start or does not answer."),
        (internalError, "Internal error, or the output cannot be written."),
        (
            tryLater,
            "Try again later: no joke matches, a source failed or reached its rate limit, or the daemon is busy or "
                + "cannot use its storage."
        ),
    ]
}
