import JokesClient
import JokesProtocol

/// The block of a status bar while somebody watches: a line whenever what it shows has changed.
struct BarBlock {
    private let format: BarFormat
    private let output: OutputBuffer
    private var picture: BarPicture?
    private var last: String?

    init(_ format: BarFormat, printingTo output: OutputBuffer) {
        self.format = format
        self.output = output
    }

    mutating func show(_ picture: BarPicture) throws {
        self.picture = picture
        try write(picture)
    }

    /// Goes on showing the last joke.
    mutating func lose(_ reason: ClientError) throws {
        try write(picture?.away(reason.words) ?? BarPicture(.away, reason.words))
    }

    /// Shows again what was shown before the daemon was lost: it may be as it was, and nothing comes.
    mutating func find() throws {
        if let picture { try write(picture) }
    }

    private mutating func write(_ picture: BarPicture) throws {
        let line = try format.line(picture)
        if line == last { return }
        last = line
        try output.append(line + "\n")
        try output.flush()
    }
}

extension BarPicture {
    /// What there is to be shown in place of a joke; nil where the command itself is wrong, which is no state of a daemon.
    init?(_ failure: ClientError) {
        switch failure {
        case .unreachable, .silent, .broken: self.init(.away, failure.words)
        case .noAddress, .misunderstood, .unexpected: return nil
        case .refused(let refusal):
            switch refusal {
            case .noJokes: self.init(.empty, failure.words)
            case .busy, .storageUnavailable, .cannotStart: self.init(.away, failure.words)
            case .noSuchJoke, .ambiguousID, .noSuchSource, .sourceInUse, .noSuchImport, .importRefused: return nil
            }
        }
    }
}
