import JokesProtocol
import Unix

/// The imports in progress, by ID. An import arrives in pieces: one call of `Import` for each piece.
///
/// The number and the size of imports are limited. An import without a piece for a minute is discarded. Confined to the
/// service loop.
final class PendingImports {
    private static let maxCount = 4
    /// The maximum size of all messages of one import, in bytes.
    static let maxBytes = 512 << 20
    /// The maximum time between two pieces.
    private static let maxPause: Duration = .seconds(60)

    private struct Pending {
        let number: Int64
        var bytes = 0
        /// True from `add` until `endPiece`.
        var isStoringPiece = false
        /// Discards the import, unless another piece arrives first; nil while a piece is being stored.
        var timer: TimerQueue.Token?
    }

    private let loop: EventLoop
    private var pending: [String: Pending] = [:]
    private var lastNumber: Int64 = 0

    init(on loop: EventLoop) { self.loop = loop }

    /// An accepted piece of an import: the ID of the import, and its number in the store.
    typealias Piece = (id: String, number: Int64)

    /// Accepts the next piece of an import, or the first piece of a new import if `id` is nil.
    ///
    /// The import accepts no other piece before `endPiece`. If this method throws, discard the import.
    func add(_ id: String?, bytes: Int) throws(JokesError) -> Piece {
        let id = if let id { id } else { try begin() }
        guard var current = pending[id] else { throw JokesError.noSuchImport(id: id) }
        guard !current.isStoringPiece else { throw JokesError.busy(retryAfterMs: 1000) }
        guard current.bytes + bytes <= Self.maxBytes else {
            throw JokesError.importRefused(reason: "larger than \(Self.maxBytes >> 20) MiB")
        }
        loop.cancel(&current.timer)
        current.isStoringPiece = true
        current.bytes += bytes
        pending[id] = current
        return (id, current.number)
    }

    private func begin() throws(JokesError) -> String {
        guard pending.count < Self.maxCount else { throw JokesError.busy(retryAfterMs: 1000) }
        lastNumber += 1
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        pending[id] = Pending(number: lastNumber)
        return id
    }

    /// Ends a piece. After the last piece, the import has ended. Otherwise calls `onTimeout` if no other piece arrives
    /// in time.
    func endPiece(_ id: String, isLast: Bool, onTimeout: @escaping () -> Void) {
        if isLast {
            pending[id] = nil
        } else {
            pending[id]?.isStoringPiece = false
            pending[id]?.timer = loop.schedule(at: .now.advanced(by: Self.maxPause), onTimeout)
        }
    }

    /// Removes an import, and returns its number in the store; nil if no import has this ID.
    func remove(_ id: String) -> Int64? {
        guard var current = pending.removeValue(forKey: id) else { return nil }
        loop.cancel(&current.timer)
        return current.number
    }
}
