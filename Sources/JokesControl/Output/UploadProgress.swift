import CommandLineTools
import JokesCore
import JokesProtocol
import Unix

/// The progress of an upload, in a line on standard error if that is a terminal.
struct UploadProgress {
    private let total: Int
    private var sent = 0
    private var lines = LiveLines(on: liveArea(of: standardError))

    init(of total: Int) {
        self.total = total
    }

    mutating func add(_ records: Int) {
        sent += records
        write(lines.update("", to: "Sent \(sent) of \(counted(total, "record")) (\(sent * 100 / max(1, total))%)"))
    }

    mutating func awaitAnswer() {
        if sent == 0 { return }
        write(lines.update("", to: "Sent \(counted(total, "record")); waiting for the daemon to import them"))
    }

    mutating func end() {
        write(lines.remove(""))
    }

    /// Ignores errors: the progress is only a note.
    private func write(_ text: String) {
        if !text.isEmpty { try? writeFully(text, to: standardError) }
    }
}
