import Glibc
import JokesCore
import JokesProtocol
import Unix

/// The facts about the running program.
struct ProgramFacts {
    var version: String
    var process: Int32
    var startedAt: Timestamp
    /// Whether its file was replaced or removed, for example by an upgrade.
    var isReplaced: Bool
    /// The command that restarts it.
    var restart: String
    var now: Timestamp

    var finding: Wire.Finding {
        let what = "jokesd \(version), process \(process), started \(TimeInWords.ago(startedAt, now: now))"
        return isReplaced
            ? Wire.Finding(
                .program, .warning, "\(what); its program file was replaced or removed",
                advice: "Start the installed version: \(restart)")
            : Wire.Finding(.program, .ok, what)
    }
}

func processID() -> Int32 {
    getpid()
}

/// Returns whether the program file was replaced: the kernel then appends a remark to its path.
func isProgramReplaced() -> Bool {
    ownProgram()?.hasSuffix(" (deleted)") == true
}
