import Glibc
import Unix

/// A connection for programs that wait for their replies, such as command-line tools.
///
/// It has no thread and no loop: each call waits in poll(2). Only one thread at a time may use it.
public final class VarlinkClient {
    private let socket: Descriptor
    private var reader: FrameReader
    private var receiveBuffer = [UInt8](repeating: 0, count: 1 << 14)
    /// True if a stream has not ended. Until then, the connection takes no other call.
    fileprivate var isStreaming = false

    /// Connects to a service.
    ///
    /// - Parameters:
    ///   - address: A `VarlinkAddress`, such as `unix:/run/example.sock`, or a path.
    ///   - timeout: The maximum time to wait if the queue of the socket is full.
    ///   - replyLimit: The maximum size of a reply, in bytes.
    /// - Throws: `VarlinkError.unreachable`, `.invalidAddress`.
    public init(
        connectingTo address: String, timeout: Duration = .seconds(5), replyLimit: Int = 16 << 20
    ) throws(VarlinkError) {
        let parsed = try VarlinkAddress(address)
        do throws(SystemError) {
            socket = try StreamSocket.connect(to: parsed.socket, waitingAtMost: timeout)
        } catch {
            throw .unreachable(address: parsed.path, reason: error.reason, errno: error.code)
        }
        reader = FrameReader(limit: replyLimit)
    }

    /// Calls a method and waits for its reply.
    ///
    /// The name of the method includes its interface. Without a timeout, the call waits indefinitely. After a timeout,
    /// the connection cannot be used any more: the next reply could belong to this call.
    /// - Throws: `VarlinkError`; `.refused` if the service replies with an error.
    public func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        timeout: Duration? = nil
    ) throws(VarlinkError) -> Reply {
        let limit = timeout.map { BootInstant.now.advanced(by: $0) }
        try begin(try CallMessage.frame(method: method, parameters: parameters), until: limit)
        return try receive(until: limit).decode(type)
    }

    /// Calls a method without waiting. The service sends no reply, not even an error.
    public func callOneway(_ method: String, _ parameters: some Encodable = NoParameters()) throws(VarlinkError) {
        try begin(try CallMessage.frame(method: method, parameters: parameters, isOneway: true), until: nil)
    }

    /// Calls a method that may send several replies.
    ///
    /// The connection takes no other call until the stream has ended.
    public func stream<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self
    ) throws(VarlinkError) -> VarlinkReplies<Reply> {
        try begin(try CallMessage.frame(method: method, parameters: parameters, wantsMore: true), until: nil)
        isStreaming = true
        return VarlinkReplies(client: self)
    }

    /// The descriptor for poll(2): it is readable if there may be a reply, or if the connection has ended.
    public var fileDescriptor: Int32 { socket.rawValue }

    private func begin(_ frame: [UInt8], until limit: BootInstant?) throws(VarlinkError) {
        precondition(!isStreaming, "a call while another one streams")
        var output = OutputQueue()
        output.append(frame)
        // If the service has closed the connection, it may have sent an error before. It is read as the reply.
        while try VarlinkError.converting(try output.send(to: socket.rawValue)) == .wouldBlock {
            try wait(for: POLLOUT, until: limit)
        }
    }

    fileprivate func receive(until limit: BootInstant?) throws(VarlinkError) -> ReplyMessage {
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

    /// Waits for the next reply. Returns nil after the last one.
    ///
    /// Without a timeout, it waits indefinitely. After a timeout, it can be called again.
    public func next(timeout: Duration? = nil) throws(VarlinkError) -> Reply? {
        if hasEnded { return nil }
        let message = try client.receive(until: timeout.map { BootInstant.now.advanced(by: $0) })
        client.isStreaming = message.continues
        hasEnded = !message.continues
        return try message.decode(Reply.self)
    }
}
