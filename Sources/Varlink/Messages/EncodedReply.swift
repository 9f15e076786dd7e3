import JSON
import Synchronization

/// An encoded reply, which can be sent to any number of clients without a copy.
public struct EncodedReply: Sendable {
    /// True if more replies follow this one.
    public let continues: Bool
    package let frame: [UInt8]
    /// Nil if it is for one client only.
    let holders: FrameHolders?

    /// The size of the message in bytes. Clients of other libraries accept at most 16 MB; 1 MiB is a good limit.
    public var byteCount: Int { frame.count }

    /// Encodes a reply. `continues` is true if more replies to the same call follow.
    ///
    /// - Throws: `VarlinkError.unencodable`.
    public init(_ parameters: some Encodable, continues: Bool = false) throws(VarlinkError) {
        try self.init(parameters, continues: continues, isShared: true)
    }

    init(_ parameters: some Encodable, continues: Bool = false, isShared: Bool) throws(VarlinkError) {
        let message = SharedJSONWriter()
        message.writer.openObject()
        try message.writeParameters(parameters)
        if continues { message.writeFlag("continues") }
        frame = message.finishFrame()
        self.continues = continues
        holders = isShared ? FrameHolders() : nil
    }

    /// Encodes an error.
    public init(_ error: ErrorReply) {
        let message = SharedJSONWriter()
        message.writer.openObject()
        message.writer.write(key: "error", at: 1)
        message.writer.write(error.name)
        message.writer.write(key: "parameters", at: 1)
        message.writer.write(json: error.parameters[...])
        frame = message.finishFrame()
        (continues, holders) = (false, nil)
    }
}

/// The number of queues that have a shared frame, so that its memory is counted once.
final class FrameHolders: Sendable {
    private let count = Atomic(0)

    /// Returns whether it is the first one.
    func add() -> Bool { count.add(1, ordering: .relaxed).oldValue == 0 }

    /// Returns whether it was the last one.
    func remove() -> Bool { count.subtract(1, ordering: .relaxed).newValue == 0 }
}
