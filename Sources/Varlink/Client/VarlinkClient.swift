import Glibc
import Unix

/// A connection for programs that wait for their replies, such as command-line tools.
///
/// It has no thread and no loop: each call waits in poll(2). Only one thread at a time may use it.
///
/// It takes one call at a time. A call throws `VarlinkError.notReady` while a stream has not ended, and after an error
/// that leaves replies unread: a timeout, a malformed reply, the end of the connection, or a reply of a stream that does
/// not have the expected type. The next step is a new client.
public final class VarlinkClient {
    private enum State {
        /// No reply is due.
        case ready
        /// Replies of a stream are due.
        case streaming
        /// A call is being sent or has no reply yet. After an error it stays so, because the next reply could belong to
        /// this call.
        case broken
    }

    private let socket: Descriptor
    private var reader: FrameReader
    private var receiveBuffer = [UInt8](repeating: 0, count: 1 << 14)
    private var state = State.ready

    /// Connects to a service.
    ///
    /// - Parameters:
    ///   - address: A `VarlinkAddress`, such as `unix:/run/example.sock`, or a path.
    ///   - timeout: The maximum time to wait if the queue of the socket is full.
    ///   - replyLimit: The maximum size of a reply, in bytes.
    /// - Throws: `VarlinkError.unreachable`, `.invalidAddress`.
    public convenience init(
        connectingTo address: String, timeout: Duration = .seconds(5), replyLimit: Int = 16 << 20
    ) throws(VarlinkError) {
        let descriptor = try VarlinkAddress(address).open { (address) throws(SystemError) in
            try StreamSocket.connect(to: address, waitingAtMost: timeout).release()
        }
        try self.init(adopting: descriptor, replyLimit: replyLimit)
    }

    /// Uses a Unix stream socket that is connected to a service, such as one end of a socketpair(2) whose other end a
    /// child process has. The client owns the descriptor. `replyLimit` is the maximum size of a reply, in bytes.
    ///
    /// - Throws: `VarlinkError.system` if it is another kind of descriptor. It is closed then.
    public init(adopting descriptor: Int32, replyLimit: Int = 16 << 20) throws(VarlinkError) {
        socket = try VarlinkError.converting(try StreamSocket.adopt(descriptor))
        reader = FrameReader(limit: replyLimit)
    }

    /// Calls a method and waits for its reply.
    ///
    /// The name of the method includes its interface. Without a timeout, the call waits indefinitely.
    /// - Throws: `VarlinkError`; `.refused` if the service replies with an error.
    public func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        timeout: Duration? = nil
    ) throws(VarlinkError) -> Reply {
        let limit = timeout.map { BootInstant.now.advanced(by: $0) }
        try begin(try CallMessage.frame(method: method, parameters: parameters), until: limit)
        let message = try receive(until: limit)
        if message.continues { throw .unrequestedSeries }
        state = .ready
        return try message.decode(type)
    }

    /// Calls a method without waiting. The service sends no reply, not even an error.
    public func callOneway(_ method: String, _ parameters: some Encodable = NoParameters()) throws(VarlinkError) {
        try begin(try CallMessage.frame(method: method, parameters: parameters, isOneway: true), until: nil)
        state = .ready
    }

    /// Calls a method that may send several replies.
    ///
    /// The connection takes no other call until the stream has ended.
    public func stream<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self
    ) throws(VarlinkError) -> VarlinkReplies<Reply> {
        try begin(try CallMessage.frame(method: method, parameters: parameters, wantsMore: true), until: nil)
        state = .streaming
        return VarlinkReplies(client: self)
    }

    /// Sends a call. The client stays broken until the caller knows which replies follow.
    private func begin(_ frame: [UInt8], until limit: BootInstant?) throws(VarlinkError) {
        switch state {
        case .ready:
            state = .broken
            if reader.count > 0 { throw .leftOver }
        case .streaming: throw .notReady(reason: "replies to another call are due")
        case .broken: throw .notReady(reason: "an earlier call failed, connect again")
        }
        var output = OutputQueue()
        output.append(frame)
        // If the service has closed the connection, it may have sent an error before. It is read as the reply.
        while try VarlinkError.converting(try output.send(to: socket.rawValue)) == .wouldBlock {
            try wait(for: POLLOUT, until: limit)
        }
    }

    /// Returns the next reply of a stream, and makes the client ready after the last one.
    fileprivate func receiveStreamed(until limit: BootInstant?) throws(VarlinkError) -> ReplyMessage {
        guard case .streaming = state else { throw .notReady(reason: "an earlier reply failed, connect again") }
        do throws(VarlinkError) {
            let message = try receive(until: limit)
            if !message.continues { state = .ready }
            return message
        } catch {
            // After a timeout, the reply can still arrive.
            if case .timedOut = error { throw error }
            state = .broken
            throw error
        }
    }

    /// Nobody reads the rest of a stream, if there is one.
    fileprivate func abandonStream() {
        if case .streaming = state { state = .broken }
    }

    private func receive(until limit: BootInstant?) throws(VarlinkError) -> ReplyMessage {
        while true {
            if let message = try ReplyMessage.next(from: &reader) { return message }
            try wait(for: POLLIN, until: limit)
            try reader.receiveReplies(from: socket.rawValue, through: &receiveBuffer)
        }
    }

    private func wait(for event: Int32, until limit: BootInstant?) throws(VarlinkError) {
        let isReady = try VarlinkError.converting(
            try StreamSocket.wait(for: socket.rawValue, events: event, until: limit))
        if !isReady { throw .timedOut }
    }
}

/// The replies to one call. If the connection ends, the next one is an error.
public final class VarlinkReplies<Reply: Decodable> {
    private let client: VarlinkClient
    private var hasEnded = false

    fileprivate init(client: VarlinkClient) { self.client = client }

    /// Waits for the next reply. Returns nil after the last one, also if that was an error.
    ///
    /// Without a timeout, it waits indefinitely. After a timeout, it can be called again.
    /// - Throws: `VarlinkError`; `.notReady` after an error that was not the last reply.
    public func next(timeout: Duration? = nil) throws(VarlinkError) -> Reply? {
        if hasEnded { return nil }
        let message = try client.receiveStreamed(until: timeout.map { BootInstant.now.advanced(by: $0) })
        hasEnded = !message.continues
        do throws(VarlinkError) {
            return try message.decode(Reply.self)
        } catch {
            client.abandonStream()
            throw error
        }
    }
}
