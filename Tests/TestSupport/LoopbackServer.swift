import Glibc
package import Unix

/// An HTTP/1.1 server on the loopback interface that answers as a test tells it to.
///
/// It stops, and hangs up on everybody, when its last owner goes. A path that no route names is answered with 404. Each
/// connection has a thread of its own, so that a stalled answer holds nobody else back.
///
/// The port stays its own for as long as it has an owner: where it has stopped, whoever connects is refused.
package final class LoopbackServer: Sendable {
    /// Decides the answer to one request; called on the connection's thread.
    package typealias Route = @Sendable (LoopbackRequest) -> LoopbackAnswer

    private struct State {
        var routes: [String: Route] = [:]
        var fallback: Route?
        var requests: [LoopbackRequest] = []
        var abandoned = 0
        var connections: [Int: Int32] = [:]
        var accepted = 0
        var isStopped = false
    }

    /// What the threads hold on to, so that the server itself can go while they end.
    private final class Shared: Sendable {
        let state = Locked(State())
    }

    package let port: UInt16
    private let listener: Int32
    /// Bound to the port and silent: what keeps the kernel from giving it to somebody else.
    private let claim: Int32
    private let shared = Shared()

    /// Listens on the port, one on which another server has stopped, or on any free one where it is 0.
    ///
    /// - Throws: `SystemError` where it cannot.
    package init(port: UInt16 = 0) throws(SystemError) {
        let (claim, socket) = (try makeSocket(), try makeSocket())
        let port = try bind(claim, to: port)
        _ = try bind(socket, to: port)
        try retrying("listen on", "127.0.0.1:\(port)") { listen(socket, 128) }
        self.port = port
        self.claim = claim
        listener = socket
        startThread { [shared] in Self.accept(on: socket, shared) }
    }

    deinit {
        stop()
        close(claim)
    }

    /// Where it listens: `http://127.0.0.1:PORT`, without a slash at the end.
    package var url: String {
        "http://127.0.0.1:\(port)"
    }

    /// Every request so far, in the order they came.
    package var requests: [LoopbackRequest] {
        shared.state.withLock { $0.requests }
    }

    /// How many answers the client hung up on before their end.
    package var abandonedAnswers: Int {
        shared.state.withLock { $0.abandoned }
    }

    /// How many connections are open at present.
    package var openConnections: Int {
        shared.state.withLock { $0.connections.count }
    }

    /// Answers requests for the path, whatever their query, in place of what answered them before.
    package func route(_ path: String, _ route: @escaping Route) {
        shared.state.withLock { $0.routes[path] = route }
    }

    /// Answers requests for the path, whatever their query, in place of what answered them before.
    package func route(_ path: String, _ answer: LoopbackAnswer) {
        route(path) { _ in answer }
    }

    /// Answers what no route names: other paths, and whole URLs where the client takes the server for a proxy.
    package func routeEverythingElse(_ route: @escaping Route) {
        shared.state.withLock { $0.fallback = route }
    }

    /// Listens no more and hangs up on everybody. May be called again.
    package func stop() {
        shared.state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.connections.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Returns once so many requests have come.
    package func waitForRequests(_ count: Int, _ deadline: Deadline = Deadline()) async throws {
        try await waitUntil("\(count) requests came", deadline) { requests.count >= count }
    }

    /// Returns once the client has hung up on so many unfinished answers.
    package func waitForAbandonedAnswers(_ count: Int, _ deadline: Deadline = Deadline()) async throws {
        try await waitUntil("\(count) answers were abandoned", deadline) { abandonedAnswers >= count }
    }

    // MARK: Threads

    private static func accept(on listener: Int32, _ shared: Shared) {
        defer { close(listener) }
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
            // Anything else is the listener shut down, or a machine without descriptors: either way, the end.
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
                return state.routes[request.path] ?? state.fallback
            }
            let answer = route?(request) ?? .text("No such path.", type: "text/plain", status: 404)
            guard connection.perform(answer.steps) else {
                shared.state.withLock { $0.abandoned += 1 }
                break
            }
            if answer.closes || request.header("Connection")?.lowercased() == "close" { break }
        }
        // Under the lock, so that `stop` shuts down no descriptor that somebody else has got meanwhile.
        shared.state.withLock { state in
            state.connections[number] = nil
            // A program that was started meanwhile may have inherited it; the client is to see the end all the same.
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
            close(connection.descriptor)
        }
    }
}

private func makeSocket() throws(SystemError) -> Int32 {
    let socket = try retrying("make a socket") {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    // Lets several have one port, of which one listens.
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    return socket
}

/// Binds a socket to a port of the loopback interface, or to any free one where it is 0; returns which.
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

/// Runs the body on a new thread that nobody joins.
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
