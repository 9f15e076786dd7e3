import JokesProtocol
import Unix
import Varlink

/// The imports whose pieces arrive, by ID.
///
/// Their number and size are limited. An import is forgotten a minute after its last piece. Confined to the service loop.
final class PendingImports {
    private static let maxCount = 4
    /// The maximum size of all messages of one import, in bytes.
    static let maxBytes = 512 << 20
    private static let maxPause: Duration = .seconds(60)

    private struct Pending {
        let number: Int64
        var bytes = 0
        var records = 0
        /// Forgets the import, unless another piece arrives before.
        var timer: TimerQueue.Token?
    }

    private let loop: EventLoop
    private var pending: [String: Pending] = [:]
    private var lastNumber: Int64 = 0

    init(on loop: EventLoop) { self.loop = loop }

    /// An accepted piece of an import: the number of the import in the store, and the number of records so far.
    typealias Piece = (id: String, number: Int64, records: Int)

    /// Accepts the next piece of an import, or the first piece of a new one. The import accepts no other piece before
    /// `endPiece`. After an error, the caller removes the import.
    func add(_ id: String?, records: Int, bytes: Int) throws(ErrorReply) -> Piece {
        let id = if let id { id } else { try begin() }
        guard var known = pending[id] else { throw ErrorReply(JokesError.noSuchImport(id: id)) }
        guard known.bytes == 0 || known.timer != nil else { throw ErrorReply(JokesError.busy(retryAfterMs: 1000)) }
        guard known.bytes + bytes <= Self.maxBytes else {
            throw ErrorReply(JokesError.importRefused(reason: "larger than \(Self.maxBytes >> 20) MiB"))
        }
        if let timer = known.timer { loop.cancel(timer) }
        known.timer = nil
        known.bytes += max(1, bytes)
        known.records += records
        pending[id] = known
        return (id, known.number, known.records)
    }

    private func begin() throws(ErrorReply) -> String {
        guard pending.count < Self.maxCount else { throw ErrorReply(JokesError.busy(retryAfterMs: 1000)) }
        lastNumber += 1
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        pending[id] = Pending(number: lastNumber)
        return id
    }

    /// Ends a piece. After the last one, the import is over. Otherwise `forget` is called if no other piece arrives in time.
    func endPiece(_ id: String, isLast: Bool, forget: @escaping () -> Void) {
        if isLast {
            pending[id] = nil
        } else {
            pending[id]?.timer = loop.schedule(at: .now.advanced(by: Self.maxPause), forget)
        }
    }

    /// Forgets an import, and returns its number in the store; nil if it is not known.
    func remove(_ id: String) -> Int64? {
        guard let known = pending.removeValue(forKey: id) else { return nil }
        if let timer = known.timer { loop.cancel(timer) }
        return known.number
    }
}
