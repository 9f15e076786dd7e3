import CLinux
import Glibc
import Measuring
import TestSupport

/// The minimum work of a server on a Unix stream socket, as it would be written in C: one thread, epoll, no
/// allocations.
///
/// It sends back the bytes that it receives. Bytes that begin with `broadcast` go to all other connections, without
/// this first byte. A failed system call ends the server, because it is only a yardstick.
struct EchoServer {
    static let option = "--echo"
    static let broadcast = UInt8(ascii: "*")

    private let listener: Int32
    private let epoll: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

    init(at path: String) {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        epoll = epoll_create1(0)
        let bound = withUnixAddress(path) { bind(listener, $0, $1) }
        precondition(bound == 0 && listen(listener, 4_096) == 0, "cannot listen on \(path): \(errno)")
        watch(listener)
    }

    func run() -> Never {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var connections: [Int32] = []
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), -1)
            for event in events.prefix(max(0, Int(count))) {
                let descriptor = Int32(truncatingIfNeeded: event.data.u64)
                if descriptor == listener {
                    let connection = accept(listener, nil, nil)
                    precondition(connection >= 0, "cannot accept: \(errno)")
                    watch(connection)
                    connections.append(connection)
                } else {
                    answer(descriptor, &connections)
                }
            }
        }
    }

    private func watch(_ descriptor: Int32) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(descriptor)
        let code = epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
        precondition(code == 0, "cannot watch: \(errno)")
    }

    private func answer(_ descriptor: Int32, _ connections: inout [Int32]) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            connections.removeAll { $0 == descriptor }
            close(descriptor)
            return
        }
        guard buffer[0] == Self.broadcast else { return write(buffer[..<count], to: descriptor) }
        for connection in connections where connection != descriptor { write(buffer[1..<count], to: connection) }
    }

    private func write(_ bytes: Slice<UnsafeMutableRawBufferPointer>, to descriptor: Int32) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        // A connection that does not read loses the bytes.
        _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
}

/// The echo server in a separate process.
final class EchoProcess {
    let socket: String
    private let process: ChildProcess

    init(in folder: String) async throws {
        socket = "\(folder)/echo"
        unlink(socket)
        process = try ChildProcess(try MeasuredDaemon.program("SocketBenchmark"), [EchoServer.option, socket])
        try await waitUntil("the echo server listened") { (try? RawConnection(to: self.socket)) != nil }
    }

    var measuredProcess: MeasuredProcess {
        MeasuredProcess(pid: process.pid)
    }
}

/// The address of a Unix socket for system calls.
func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
