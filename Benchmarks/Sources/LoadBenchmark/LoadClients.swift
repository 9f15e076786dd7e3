import Glibc
import TestSupport
import Unix

/// Clients that load a daemon, all on one thread.
final class LoadClients: Sendable {
    /// The behavior of a client after its first bytes.
    enum Conduct {
        /// Reads each answer, and calls again.
        case callsAgain
        /// Reads everything that the daemon sends.
        case reads
        /// Reads nothing.
        case ignores
        /// Hangs up at once.
        case hangsUp
    }

    private let address: SocketAddress
    private let loop: EventLoop
    private let sockets = Locked<[Int32]>([])

    init(of socket: String) throws {
        address = SocketAddress(socket)
        loop = try EventLoop()
        try loop.start(name: "load")
    }

    /// Connects a client, and sends the bytes `times` times, or until the kernel or the daemon accepts no more.
    func add(_ conduct: Conduct, sending bytes: [UInt8], times: Int = 1) throws {
        let descriptor = try StreamSocket.connect(to: address, waitingAtMost: .seconds(20)).release()
        for _ in 0..<times { try send(bytes, to: descriptor) }
        switch conduct {
        case .hangsUp: close(descriptor)
        case .ignores: sockets.withLock { $0.append(descriptor) }
        case .reads, .callsAgain:
            sockets.withLock { $0.append(descriptor) }
            let call = conduct == .reads ? [] : bytes
            loop.perform { [self] in read(descriptor, callingAgain: call) }
        }
    }

    /// Waits for a moment if the daemon reads more slowly than this client sends.
    private func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch try rest.withUnsafeBytes({ try StreamSocket.send($0, to: descriptor) }) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .ended: return
            case .wouldBlock:
                let end = BootInstant.now.advanced(by: .milliseconds(20))
                guard try StreamSocket.wait(for: descriptor, events: Int32(POLLOUT), until: end) else { return }
            }
        }
    }

    /// Disconnects all clients.
    func end() {
        loop.stop()
        for descriptor in sockets.withLock({ $0 }) { close(descriptor) }
    }

    /// Runs on the loop.
    private func read(_ descriptor: Int32, callingAgain call: [UInt8]) {
        let reader = Reader()
        reader.watch = try? loop.watch(descriptor, for: .readable) { [loop] _ in
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                guard case .moved(let count)? = try? StreamSocket.receive(from: descriptor, into: buffer) else {
                    if let watch = reader.watch { loop.unwatch(watch) }
                    return
                }
                if call.isEmpty { return }
                for _ in 0..<buffer[..<count].count(where: { $0 == 0 }) {
                    _ = call.withUnsafeBytes { try? StreamSocket.send($0, to: descriptor) }
                }
            }
        }
    }

    private final class Reader {
        var watch: EventLoop.Watch?
    }
}
