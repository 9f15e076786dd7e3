import JokesProtocol
import Unix
import Varlink

/// The imports whose pieces come in, each known by an id that its client was told.
///
/// Bounded in number and size; one whose client is silent for a minute is forgotten. Lives on the service loop.
final class PendingImports {
    private static let most = 4
    /// The maximum size of all messages of one import, in bytes.
    static let mostBytes = 512 << 20
    private static let patience: Duration = .seconds(60)

    private struct Pending {
        let number: Int64
        var bytes = 0
        /// How many records its pieces had.
        var records = 0
        /// Between two pieces: forgets the import when it is due.
        var timer: TimerQueue.Token?
    }

    private let loop: EventLoop
    private var pending: [String: Pending] = [:]
    private var lastNumber: Int64 = 0

    init(on loop: EventLoop) {
        self.loop = loop
    }

    /// A piece of an import that was let in.
    struct Piece {
        let id: String
        /// What the store knows the import by.
        let number: Int64
        /// How many records came with this piece and those before it.
        let records: Int
    }

    /// Takes the next piece of an import, with so many records in a message of that size, or the first of a new one. No other piece
    /// of it is taken until this one has come to its `end`.
    ///
    /// - Throws: `ErrorReply`; the import is then to be removed.
    func take(_ id: String?, records: Int, bytes: Int) throws(ErrorReply) -> Piece {
        let id = if let id { id } else { try begin() }
        guard var known = pending[id] else { throw ErrorReply(JokesError.noSuchImport(id: id)) }
        guard known.bytes == 0 || known.timer != nil else { throw ErrorReply(JokesError.busy(retryAfterMs: 1000)) }
        guard known.bytes + bytes <= Self.mostBytes else {
            throw ErrorReply(JokesError.importRefused(reason: "larger than \(Self.mostBytes >> 20) MiB"))
        }
        if let timer = known.timer { loop.cancel(timer) }
        known.timer = nil
        known.bytes += max(1, bytes)
        known.records += records
        pending[id] = known
        return Piece(id: id, number: known.number, records: known.records)
    }

    private func begin() throws(ErrorReply) -> String {
        guard pending.count < Self.most else { throw ErrorReply(JokesError.busy(retryAfterMs: 1000)) }
        lastNumber += 1
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        pending[id] = Pending(number: lastNumber)
        return id
    }

    /// A piece is done: with the last the import is over, else it waits for the next, and `forget` is called where that
    /// does not come.
    func end(_ id: String, isLast: Bool, forget: @escaping () -> Void) {
        if isLast {
            pending[id] = nil
        } else {
            pending[id]?.timer = loop.schedule(at: .now.advanced(by: Self.patience), forget)
        }
    }

    /// Forgets an import.
    ///
    /// - Returns: The number that the store knows it by; nil where it is known no longer.
    func remove(_ id: String) -> Int64? {
        guard let known = pending.removeValue(forKey: id) else { return nil }
        if let timer = known.timer { loop.cancel(timer) }
        return known.number
    }
}
