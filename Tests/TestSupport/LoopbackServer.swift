import Glibc
package import Unix

/// An HTTP/1.1 server on the loopback interface. A test sets the answers.
///
/// It stops and closes all connections when its last owner is released. A path without a route is answered with 404.
/// Each connection has its own thread, so that a stalled answer delays no other.
///
/// The server keeps its port as long as it has an owner: after `stop`, connections are refused.
package final class LoopbackServer: Sendable {
    /// Returns the answer to one request; called on the connection's thread.
    package typealias Route = @Sendable (LoopbackRequest) -> LoopbackAnswer

    private struct State {
        var routes: [String: Route] = [:]
        var fallback: Route?
        var requests: [LoopbackRequest] = []
        var abandoned = 0
        var underWay = 0
        var connections: [Int: Int32] = [:]
        var accepted = 0
        var isStopped = false
    }

    /// The state that the threads retain, so that the server itself can be released before they end.
    private final class Shared: Sendable {
        let state = Locked(State())
    }

    package let port: UInt16
    private let listener: Int32
    /// Bound to the port but not listening, so that the kernel does not assign the port to another process.
    private let portReservation: Int32
    private let shared = Shared()

    /// Listens on a port, such as the port of a stopped server, or on any free port if `port` is 0.
    ///
    /// - Throws: `SystemError` if a socket cannot be created or bound.
    package init(port: UInt16 = 0) throws(SystemError) {
        let (portReservation, socket) = (try makeSocket(), try makeSocket())
        let port = try bind(portReservation, to: port)
        _ = try bind(socket, to: port)
        try retrying("listen on", "127.0.0.1:\(port)") { listen(socket, 128) }
        self.port = port
        self.portReservation = portReservation
        listener = socket
        startThread { [shared] in Self.accept(on: socket, shared) }
    }

    deinit {
        stop()
        close(portReservation)
    }

    /// The base URL: `http://127.0.0.1:PORT`, without a slash at the end.
    package var url: String {
        "http://127.0.0.1:\(port)"
    }

    /// The requests so far, in the order of arrival.
    package var requests: [LoopbackRequest] {
        shared.state.withLock { $0.requests }
    }

    /// The number of answers during which the client disconnected.
    package var abandonedAnswers: Int {
        shared.state.withLock { $0.abandoned }
    }

    /// The number of requests that are not answered completely, by clients that are still connected.
    package var answersUnderWay: Int {
        shared.state.withLock { $0.underWay }
    }

    /// The number of open connections.
    package var openConnections: Int {
        shared.state.withLock { $0.connections.count }
    }

    /// Sets the answers to requests for the path, with any query.
    package func route(_ path: String, _ route: @escaping Route) {
        shared.state.withLock { $0.routes[path] = route }
    }

    /// Sets the answer to requests for the path, with any query.
    package func route(_ path: String, _ answer: LoopbackAnswer) {
        route(path) { _ in answer }
    }

    /// Sets the answers to requests without a route: other paths, and absolute URLs from a client that uses the server
    /// as a proxy.
    package func routeEverythingElse(_ route: @escaping Route) {
        shared.state.withLock { $0.fallback = route }
    }

    /// Stops listening and closes all connections. May be called more than once.
    package func stop() {
        shared.state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.connections.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Waits until `count` requests have arrived.
    package func waitForRequests(_ count: Int, _ deadline: Deadline = Deadline()) async throws {
        try await waitUntil("\(count) requests arrived", deadline) { requests.count >= count }
    }

    /// Waits until the client has disconnected during `count` answers.
    package func waitForAbandonedAnswers(_ count: Int, _ deadline: Deadline = Deadline()) async throws {
        try await waitUntil("\(count) answers were abandoned", deadline) { abandonedAnswers >= count }
    }

    // MARK: Threads

    private static func accept(on listener: Int32, _ shared: Shared) {
        defer { close(listener) }
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
            // Other errors mean that the listener was shut down, or that there are no more descriptors.
            if descriptor < 0 { return }
            let number: Int? = shared.state.withLock { state in
                guard !state.isStopped else { return nil }
                defer { state.accepted += 1 }
                state.connections[state.accepted] = descriptor
                return state.accepted
            }
            guard let number else {
                close(descriptor)
                return
            }
            startThread { serve(LoopbackConnection(descriptor: descriptor), number, shared) }
        }
    }

    private static func serve(_ connection: LoopbackConnection, _ number: Int, _ shared: Shared) {
        var connection = connection
        while let head = connection.readHead(), let request = LoopbackRequest(head: head, connection: number) {
            let route = shared.state.withLock { state in
                state.requests.append(request)
                state.underWay += 1
                return state.routes[request.path] ?? state.fallback
            }
            let answer = route?(request) ?? .text("No such path.", type: "text/plain", status: 404)
            let isComplete = connection.perform(answer.steps)
            shared.state.withLock { state in
                state.underWay -= 1
                if !isComplete { state.abandoned += 1 }
            }
            if !isComplete { break }
            if answer.closes || request.header("Connection")?.lowercased() == "close" { break }
        }
        // Under the lock, so that `stop` does not shut down a reused descriptor.
        shared.state.withLock { state in
            state.connections[number] = nil
            // A program started in the meantime may have inherited the descriptor, so closing it would not end the
            // connection.
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
            close(connection.descriptor)
        }
    }
}

private func makeSocket() throws(SystemError) -> Int32 {
    let socket = try retrying("make a socket") {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    // Allows two sockets on one port, of which one listens.
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    return socket
}

/// Binds a socket to a port of the loopback interface, or to any free port if the port is 0; returns the port.
private func bind(_ socket: Int32, to port: UInt16) throws(SystemError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            Glibc.bind(socket, pointer, size) == 0 ? getsockname(socket, pointer, &size) : -1
        }
    }
    if result != 0 { throw SystemError("bind to", "127.0.0.1:\(port)") }
    return UInt16(bigEndian: address.sin_port)
}

/// Runs the body on a new detached thread.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { pointer in
            Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    precondition(code == 0, "no thread could be started: \(code)")
    pthread_detach(thread)
}
