import Glibc
import TestSupport

/// Repeatedly fills a small file system to the last byte and frees the space, on its own thread.
final class DiskFiller: Sendable {
    private let path: String
    private let isOver = Locked(false)
    private let ended: Gate
    private let count = Locked(0)

    init(_ folder: String, seed: UInt64) throws {
        path = "\(folder)/filler"
        ended = try Gate()
        startThread { [self] in
            var random = SplitMix64(seed: seed)
            while !isOver.withLock({ $0 }) {
                sleepRandomly(upTo: .milliseconds(120), &random)
                fill()
                sleepRandomly(upTo: .milliseconds(120), &random)
                unlink(path)
            }
            ended.open()
        }
    }

    /// Stops, and leaves the space free.
    ///
    /// - Returns: How often the file system was full.
    func stop() throws -> Int {
        isOver.withLock { $0 = true }
        try waitUntil(ended.descriptor, isReadyFor: POLLHUP)
        return count.withLock { $0 }
    }

    private func fill() {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        // Large pieces first, and then small ones.
        for size in [1 << 20, 1 << 12] {
            let piece = [UInt8](repeating: 1, count: size)
            while write(descriptor, piece, size) == size {}
        }
        close(descriptor)
        count.withLock { $0 += 1 }
    }
}
