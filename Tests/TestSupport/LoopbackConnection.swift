import Glibc

/// The server's side of one connection, with blocking calls.
struct LoopbackConnection: Sendable {
    let descriptor: Int32
    private var unread: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Reads the next request's head, up to and including the empty line; `nil` if the client has disconnected.
    mutating func readHead() -> String? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = endOfHead() {
                defer { unread.removeFirst(end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return nil }
            unread += chunk[..<count]
        }
    }

    private func endOfHead() -> Int? {
        guard unread.count >= 4 else { return nil }
        return (4...unread.count).first { unread[($0 - 4)..<$0].elementsEqual("\r\n\r\n".utf8) }
    }

    /// Performs the steps; returns false if the client disconnected before the end.
    func perform(_ steps: [LoopbackAnswer.Step]) -> Bool {
        for step in steps {
            let isConnected =
                switch step {
                case .send(let bytes): send(bytes[...])
                case .wait(let gate): waitWhileConnected(until: gate.descriptor)
                case .stall: waitWhileConnected(until: -1)
                case .trickle(let bytes, let pause):
                    bytes.allSatisfy { send([$0]) && waitWhileConnected(for: pause) }
                case .repeatForever(let bytes): sendRepeatedly(bytes)
                }
            if !isConnected { return false }
        }
        return true
    }

    private func sendRepeatedly(_ bytes: [UInt8]) -> Bool {
        while send(bytes[...]) {}
        return false
    }

    private func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func waitWhileConnected(for pause: Duration) -> Bool {
        let parts = pause.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        return waitWhileConnected(until: -1, milliseconds: Int32(clamping: milliseconds))
    }

    /// Waits until the gate's descriptor hangs up or the time passes; returns false if the client hangs up first.
    private func waitWhileConnected(until gate: Int32, milliseconds: Int32 = -1) -> Bool {
        // POLLRDHUP, which glibc declares only with _GNU_SOURCE.
        let disconnected: Int16 = 0x2000
        var entries = [
            pollfd(fd: descriptor, events: disconnected, revents: 0), pollfd(fd: gate, events: 0, revents: 0),
        ]
        while poll(&entries, 2, milliseconds) < 0 && errno == EINTR {}
        return entries[0].revents == 0
    }
}
