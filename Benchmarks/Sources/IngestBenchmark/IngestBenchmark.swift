import JokeCorpus
import Measuring
import Unix

/// Measures jokes from a fortune file to stored and searchable, beside Python's sqlite3. See README.md.
@main
enum IngestBenchmark {
    static func main() async {
        await BenchmarkProgram("IngestBenchmark").run(measure)
    }

    private static func measure(_ options: BenchmarkOptions, in folder: String) async throws {
        for part in ["whole", "store", "python"] { try makeFolder("\(folder)/\(part)", mode: 0o700) }
        let file = "\(folder)/fortunes"
        try Corpus.write(options.jokes, to: file)

        let loop = try EventLoop()
        let storeLoop = try EventLoop()
        let stages = try Stages(file: file, loop: loop, storeLoop: storeLoop)
        try loop.start(name: "network")
        try storeLoop.start(name: "store")
        // This stage is the first, so that no other memory of the process counts.
        let whole = try await stages.whole(folder: "\(folder)/whole")
        let (decode, fetched) = try await stages.decoding()
        let (normalize, normalized) = await stages.normalizing(fetched)
        let store = try await stages.storing(normalized, folder: "\(folder)/store")
        let python = try Yardstick.measure(file: file, folder: "\(folder)/python")
        Report(json: options.json, yardstick: python).show([decode, normalize, store, whole])
    }
}
