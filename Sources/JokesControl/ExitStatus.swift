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
        (done, "Done. A reader that has seen enough is no error."),
        (refused, "The daemon said no: there is no such joke, or more than one. Or doctor found what does not work."),
        (usage, "The command line cannot be followed."),
        (unavailable, "The daemon cannot be reached, or does not answer."),
        (internalError, "The answer cannot be written, or jokesctl failed."),
        (
            tryLater,
            "Try again later: nothing is cached, a source failed or was asked a moment ago, or the storage cannot be used."
        ),
    ]
}
