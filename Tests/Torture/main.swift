import Glibc
import KillTorture
import TestSupport

// Kills so many daemons (`Torture KILLS [SEED [FOLDER]]`), prints what came of it, and ends with 1 where a law was broken.
// The folder is on a file system of some megabytes, which is filled again and again meanwhile.

let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.prefix(2).compactMap { UInt64($0) }
guard let kills = numbers.first, kills > 0, (1...3).contains(words.count), numbers.count == min(2, words.count) else {
    print("usage: Torture KILLS [SEED [FOLDER]]")
    exit(64)
}
let seed = numbers.count == 2 ? numbers[1] : .random(in: .min ... .max)
/// At once, also where the output is a file that somebody follows.
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
    say("A law is broken. \(error)")
    exit(1)
}
