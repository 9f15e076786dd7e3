import JokesClient
import JokesProtocol

/// The block of a status bar during `watch`: prints a line when the content changes.
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

    /// Keeps the last joke, with the reason.
    mutating func lose(_ reason: ClientError) throws {
        try write(picture?.away(reason.words) ?? BarPicture(.away, reason.words))
    }

    /// Shows the last content again: after a reconnect without changes, no snapshot comes.
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
    /// The content for a failed call; nil if the command itself is wrong.
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
