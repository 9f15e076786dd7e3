/// The exit codes of jokesctl, with the numbers of sysexits(3). Scripts rely on them.
enum ExitStatus {
    static let done: Int32 = 0
    static let refused: Int32 = 1
    static let usage: Int32 = 64
    static let unavailable: Int32 = 69
    static let internalError: Int32 = 70
    static let tryLater: Int32 = 75

    /// The texts of the help.
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
