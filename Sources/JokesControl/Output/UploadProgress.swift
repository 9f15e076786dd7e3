import CommandLineTools
import JokesProtocol
import Unix

/// How far an upload has come, in a line of a terminal that is gone when it is over; elsewhere nothing.
struct UploadProgress {
    /// Of records.
    private let total: Int
    private let descriptor: Int32
    private var lines: LiveLines
    private var sent = 0

    /// Of so many records, on the terminal at the descriptor.
    init(of total: Int, on descriptor: Int32) {
        self.total = total
        self.descriptor = descriptor
        lines = LiveLines(on: liveArea(of: descriptor))
    }

    /// Says that the daemon has got so many more.
    mutating func take(_ records: Int) {
        sent += records
        show("Sent \(sent) of \(counted(total, "record")) (\(sent * 100 / max(1, total))%)")
    }

    /// Says that the daemon has all of them, where there was something to be said before.
    mutating func awaitAnswer() {
        if sent > 0 { show("Sent \(counted(total, "record")); waiting for the daemon to import them") }
    }

    mutating func end() {
        write(lines.remove("upload"))
    }

    private mutating func show(_ words: String) {
        write(lines.update("upload", to: words))
    }

    /// Nothing depends on it.
    private func write(_ text: String) {
        if !text.isEmpty { try? writeFully(text, to: descriptor) }
    }
}
