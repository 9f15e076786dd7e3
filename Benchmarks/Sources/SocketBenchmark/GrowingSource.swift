import Glibc
import JokesClient
import JokesProtocol
import Measuring
import TestSupport
import Varlink

/// A source that has one joke more each time it is asked.
final class GrowingSource {
    private let path: String
    private var count = 0

    init(in folder: String) throws {
        path = "\(folder)/growing"
        _ = try grow()
    }

    /// A daemon that knows it, has asked it once, and asks it again when somebody wishes.
    func daemon(on folder: String) async throws -> MeasuredDaemon {
        let daemon = try MeasuredDaemon(
            on: folder, sources: #"[{"name": "growing", "type": "fortune", "path": "\#(path)", "interval": "30d"}]"#)
        let connection = try daemon.connect()
        try await waitUntil("the source was asked") {
            let status = try connection.call(StatusMethod.self, StatusMethod.Parameters())
            return status.lastSync != nil && !status.syncing
        }
        return daemon
    }

    /// Adds a joke, and returns what is in that one alone.
    ///
    /// It takes a second: between two attempts the daemon waits as long, whoever asks.
    func grow() throws -> [UInt8] {
        if count > 0 { usleep(1_050_000) }
        count += 1
        guard let file = fopen(path, "a") else { throw Audience.Failure(description: "cannot write \(path)") }
        // Another one than those of a source before it.
        let mark = "number \(count) at \(Int(now()))"
        fputs("Why did the duck come as \(mark)?\nIt was late, and the goose had the tickets.\n%\n", file)
        fclose(file)
        return Array(mark.utf8)
    }
}
