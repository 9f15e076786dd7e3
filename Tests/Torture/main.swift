import Glibc
import KillTorture
import TestSupport

// Kills KILLS daemons (`Torture KILLS [SEED [FOLDER]]`), prints the figures, and exits with 1 if a check fails. FOLDER
// is on a file system of a few megabytes, which is filled repeatedly during the run.

let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.prefix(2).compactMap { UInt64($0) }
guard let kills = numbers.first, kills > 0, (1...3).contains(words.count), numbers.count == min(2, words.count) else {
    print("usage: Torture KILLS [SEED [FOLDER]]")
    exit(64)
}
let seed = numbers.count == 2 ? numbers[1] : .random(in: .min ... .max)
/// Prints and flushes at once, so that a log file can be followed.
func say(_ words: some CustomStringConvertible) {
    print(words)
    fflush(nil)
}

say("SEED=\(seed)")
var torture = Torture(kills: Int(clamping: kills), seed: seed, smallDisk: words.count == 3 ? words[2] : nil)
do {
    let figures = try torture.run { figures in
        if figures.kills % 100 == 0 { say("\(figures.kills) kills") }
    }
    say(figures)
} catch {
    say("A check failed. \(error)")
    exit(1)
}
