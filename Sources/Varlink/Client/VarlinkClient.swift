import Glibc
import Unix

/// A connection for programs that ask and wait: command line tools.
///
/// It has no thread and no loop: each call waits in poll(2). One thread uses it at a time.
public final class VarlinkClient {
    private let socket: Descriptor
    private var reader: FrameReader
    private var receiveBuffer = ReceiveBuffer(byteCount: 1 << 14)
    /// A stream's replies come until it ends; no other call can be told apart from them.
    private var isStreaming = false

    /// Connects to a service.
    ///
    /// - Parameters:
    ///   - address: what `VarlinkAddress` reads: `unix:/run/example.sock`, or the path alone.
    ///   - timeout: how long the service may be too busy to take connections.
    ///   - replyLimit: the most bytes one reply may have.
    /// - Throws: `VarlinkError.unreachable`, `.invalidAddress`.
    public init(
        connectingTo address: String, timeout: Duration = .seconds(5), replyLimit: Int = 16 << 20
    ) throws(VarlinkError) {
        let place = try VarlinkAddress(address)
        do throws(SystemError) {
            socket = try StreamSocket.connect(to: place.socket, waitingAtMost: timeout)
        } catch {
            throw .unreachable(address: place.place, reason: error.reason, errno: error.code)
        }
        reader = FrameReader(limit: replyLimit)
    }

    /// Calls a method and waits for its reply.
    ///
    /// The method is named with its interface. Without a time-out it waits for as long as it takes; after a time-out
    /// the connection is of no use, since its next reply could be the one that was given up.
    /// - Throws: `VarlinkError`, `.refused` where the service answers with an error.
    public func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        timeout: Duration? = nil
    ) throws(VarlinkError) -> Reply {
        let limit = limit(timeout)
        try begin(try CallMessage.frame(method: method, parameters: parameters), until: limit)
        return try receive(until: limit).decode(type)
    }

    /// Calls a method that sends nothing back, not even an error, and does not wait.
    public func callOneway(_ method: String, _ parameters: some Encodable = NoParameters()) throws(VarlinkError) {
        try begin(try CallMessage.frame(method: method, parameters: parameters, isOneway: true), until: nil)
    }

    /// Calls a method that may send several replies.
    ///
    /// Until the stream has ended the connection takes no other call.
    public func stream<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self
    ) throws(VarlinkError) -> VarlinkReplies<Reply> {
        try begin(try CallMessage.frame(method: method, parameters: parameters, wantsMore: true), until: nil)
        isStreaming = true
        return VarlinkReplies(client: self)
    }

    /// Readable when a reply, or the end of the connection, may have come: for programs that wait for something else
    /// besides, with poll(2).
    public var fileDescriptor: Int32 { socket.rawValue }

    /// The next reply of a stream.
    fileprivate func nextReply<Reply: Decodable>(
        of stream: VarlinkReplies<Reply>, timeout: Duration?
    ) throws(VarlinkError) -> Reply {
        let message = try receive(until: limit(timeout))
        if !message.continues {
            isStreaming = false
            stream.hasEnded = true
        }
        return try message.decode(Reply.self)
    }

    private func limit(_ timeout: Duration?) -> BootInstant? {
        timeout.map { BootInstant.now.advanced(by: $0) }
    }

    private func begin(_ frame: [UInt8], until limit: BootInstant?) throws(VarlinkError) {
        precondition(!isStreaming, "a call while another one streams")
        var output = OutputQueue()
        output.append(frame)
        while !output.isEmpty {
            var hasEnded = false
            let descriptor = socket.rawValue
            do throws(SystemError) {
                try output.drain { (bytes) throws(SystemError) -> Int? in
                    switch try StreamSocket.send(bytes, to: descriptor) {
                    case .moved(let count): return count
                    case .wouldBlock: return nil
                    case .ended: hasEnded = true
                    }
                    return nil
                }
            } catch {
                throw VarlinkError(error)
            }
            // A service that refuses may have said why before it closed: that is for whoever reads the reply.
            if hasEnded { return }
            if !output.isEmpty { try wait(for: POLLOUT, until: limit) }
        }
    }

    private func receive(until limit: BootInstant?) throws(VarlinkError) -> ReplyMessage {
        while true {
            if let message = try ReplyMessage.next(from: &reader) { return message }
            try wait(for: POLLIN, until: limit)
            try receiveBuffer.receiveReplies(from: socket.rawValue, into: &reader)
        }
    }

    private func wait(for event: Int32, until limit: BootInstant?) throws(VarlinkError) {
        let isReady: Bool
        do throws(SystemError) {
            isReady = try StreamSocket.wait(for: socket.rawValue, events: event, until: limit)
        } catch {
            throw VarlinkError(error)
        }
        if !isReady { throw .timedOut }
    }
}

/// The replies to one call, as they come; the connection's end ends them with an error.
public final class VarlinkReplies<Reply: Decodable> {
    private let client: VarlinkClient
    fileprivate var hasEnded = false

    fileprivate init(client: VarlinkClient) {
        self.client = client
    }

    /// Waits for the next reply; nil once the last one was given.
    ///
    /// Without a time-out it waits for as long as it takes; after a time-out one can wait again.
    public func next(timeout: Duration? = nil) throws(VarlinkError) -> Reply? {
        hasEnded ? nil : try client.nextReply(of: self, timeout: timeout)
    }
}

extension FrameReader.Failure {
    /// As a reason of `VarlinkError.malformed`.
    var reason: String {
        switch self {
        case .empty: "a message is empty"
        case .tooLong(let limit): "a message is longer than \(limit) bytes"
        }
    }
}

extension ReplyMessage {
    /// Takes the next reply from a reader; nil until it is complete.
    static func next(from reader: inout FrameReader) throws(VarlinkError) -> ReplyMessage? {
        let frame: [UInt8]?
        do throws(FrameReader.Failure) {
            frame = try reader.next()
        } catch {
            throw .malformed(reason: error.reason)
        }
        guard let frame else { return nil }
        do throws(MalformedMessage) {
            return try ReplyMessage(frame)
        } catch {
            throw .malformed(reason: error.reason)
        }
    }
}
