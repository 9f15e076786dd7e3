import Glibc
import JokesCore
import JokesProtocol
import Unix

/// What is to be known of the program that runs.
struct ProgramFacts {
    var version: String
    var process: Int32
    var startedAt: Timestamp
    /// Its file was replaced or removed since: another version is installed, perhaps.
    var isReplaced: Bool
    /// What has it started anew.
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

/// Whether the file of this process's program is gone from its place: the kernel says so behind its name.
func isProgramReplaced() -> Bool {
    ownProgram()?.hasSuffix(" (deleted)") == true
}
