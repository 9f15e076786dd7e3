import Glibc
import JokesClient
import JokesProtocol
import Measuring
import TestSupport
import Varlink

/// A source that has one more joke after each `grow()`.
final class GrowingSource {
    private let path: String
    private var count = 0

    init(in folder: String) throws {
        path = "\(folder)/growing"
        _ = try grow()
    }

    /// Starts a daemon that has synced this source once, and syncs it again on a refresh.
    func daemon(on folder: String) async throws -> MeasuredDaemon {
        let source = #"{"name": "growing", "type": "fortune", "path": "\#(path)", "safety": "safe", "interval": "30d"}"#
        let daemon = try MeasuredDaemon(on: folder, sources: "[\(source)]")
        let connection = try daemon.connect()
        try await waitUntil("the source was synced") {
            let status = try connection.call(StatusMethod.self, StatusMethod.Parameters())
            return status.lastSync != nil && !status.syncing
        }
        return daemon
    }

    /// Adds a joke, and returns a text that only this joke contains.
    ///
    /// This takes a second, which is the minimum time between two syncs.
    func grow() throws -> [UInt8] {
        if count > 0 { usleep(1_050_000) }
        count += 1
        guard let file = fopen(path, "a") else { throw Audience.Failure(description: "cannot write \(path)") }
        // The time distinguishes the joke from those of an earlier source.
        let mark = "number \(count) at \(Int(now()))"
        fputs("Why did the duck come as \(mark)?\nIt was late, and the goose had the tickets.\n%\n", file)
        fclose(file)
        return Array(mark.utf8)
    }
}
