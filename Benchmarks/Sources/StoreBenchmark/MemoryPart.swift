import JokesClient
import JokesCore
import JokesProtocol
import Measuring
import Unix

/// The private memory of an idle daemon.
enum MemoryPart: Part {
    static let name = "memory"
    static let summary = "anonymous memory of an idle daemon with 20,000 jokes; yardstick: with only the bundled jokes"
    private static let jokes = 20_000
    private static let starts = 5

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let (full, empty) = ("\(cache.folder)/memory", "\(cache.folder)/memory-empty")
        for folder in [full, empty] { try makeFolder(folder, mode: 0o700) }
        _ = try await Cache(folder: full, jokes: jokes)
        return [
            Figure(
                part: name, what: "\(jokes) jokes", values: try idle(full),
                yardstick: ("only bundled jokes", try idle(empty)), unit: "MB")
        ]
    }

    private static func idle(_ folder: String) throws -> [Double] {
        try MeasuredDaemon(on: folder).stop()
        return try (0..<starts).map { _ in
            let daemon = try MeasuredDaemon(on: folder)
            // Includes the memory that the first commands of a user allocate.
            _ = try daemon.connect().call(RandomMethod.self, RandomMethod.Parameters())
            _ = try daemon.connect().call(ListMethod.self, ListMethod.Parameters(limit: 100))
            let memory = try daemon.measuredProcess.anonymousMemory()
            try daemon.stop()
            return memory
        }
    }
}
