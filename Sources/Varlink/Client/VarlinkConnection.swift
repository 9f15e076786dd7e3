import Unix

/// A connection for programs that run on a loop and must not wait, such as viewers and services.
///
/// Callbacks on the loop receive the replies, in the order of the calls. A call may be sent before earlier ones are
/// answered. Methods must be called on the loop. The connection stays in memory until one side closes it.
///
/// `@unchecked Sendable`: its state is only used on the loop's thread, which every method checks.
public final class VarlinkConnection: @unchecked Sendable {
    /// An event of a call.
    public enum Answer<Reply: Sendable>: Sendable {
        /// A reply, which is not the last one.
        case continues(Reply)
        /// The last reply.
        case last(Reply)
        /// An error, which is the last event.
        case failed(VarlinkError)
    }

    /// Receives each reply of a call, or the error if the connection ends before the last reply.
    private typealias Receiver = (Result<ReplyMessage, VarlinkError>) -> Void

    private let loop: EventLoop
    private let descriptor: Int32
    /// Owns `descriptor`; nil if closed.
    private var socket: Descriptor?
    private var watch: EventLoop.Watch?
    private var isBlocked = false
    private var willFlush = false
    private var willDeliver = false
    private var reader: FrameReader
    private var output = OutputQueue()
    /// The calls that wait for replies, by their numbers. An array would move all of them after each reply.
    private var pending: [Int: (wantsMore: Bool, receive: Receiver)] = [:]
    private var firstPending = 0
    private var closedAction: @Sendable (VarlinkError?) -> Void
    private var receiveBuffer = [UInt8](repeating: 0, count: 1 << 16)

    /// Connects to a service without waiting. If the queue of the socket is full, the service is unreachable.
    ///
    /// - Parameters:
    ///   - address: A `VarlinkAddress`, such as `unix:/run/example.sock`, or a path.
    ///   - loop: The loop of the connection and its callbacks.
    ///   - replyLimit: The maximum size of a reply, in bytes.
    ///   - onClosed: Called once on the loop after the connection has ended and all waiting calls have failed: with nil
    ///     after `close`, otherwise with the reason.
    /// - Throws: `VarlinkError.unreachable`, `.invalidAddress`.
    public convenience init(
        to address: String, on loop: VarlinkLoop, replyLimit: Int = 16 << 20,
        onClosed: @escaping @Sendable (VarlinkError?) -> Void = { _ in }
    ) throws(VarlinkError) {
        let descriptor = try VarlinkAddress(address).open { (address) throws(SystemError) in
            try StreamSocket.connect(to: address).release()
        }
        try self.init(adopting: descriptor, on: loop, replyLimit: replyLimit, onClosed: onClosed)
    }

    /// Uses a Unix stream socket that is connected to a service, such as one end of a socketpair(2) whose other end a
    /// child process has. The connection owns the descriptor.
    ///
    /// - Throws: `VarlinkError.system` if it is another kind of descriptor. It is closed then.
    public init(
        adopting descriptor: Int32, on loop: VarlinkLoop, replyLimit: Int = 16 << 20,
        onClosed: @escaping @Sendable (VarlinkError?) -> Void = { _ in }
    ) throws(VarlinkError) {
        self.descriptor = descriptor
        self.loop = loop.events
        reader = FrameReader(limit: replyLimit)
        closedAction = onClosed
        socket = try VarlinkError.converting(try StreamSocket.adopt(descriptor))
        watch = try VarlinkError.converting(
            try self.loop.watch(descriptor, for: .readable) { self.becameReady($0) })
    }

    /// Calls a method. The callback receives its reply.
    public func call<Reply: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        _ completion: @escaping @Sendable (Result<Reply, VarlinkError>) -> Void
    ) {
        begin(method, parameters, wantsMore: false) { completion($0.decoded(as: type)) }
    }

    /// Calls a method that may send several replies. The callback receives each of them.
    ///
    /// To end a stream, close the connection.
    public func stream<Reply: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        _ receive: @escaping @Sendable (Answer<Reply>) -> Void
    ) {
        var hasFailed = false
        begin(method, parameters, wantsMore: true) { result in
            // After a reply that cannot be read, the others are ignored.
            guard !hasFailed else { return }
            let continues = (try? result.get().continues) ?? false
            switch result.decoded(as: type) {
            case .success(let reply): receive(continues ? .continues(reply) : .last(reply))
            case .failure(let error):
                hasFailed = true
                receive(.failed(error))
            }
        }
    }

    /// Calls a method without a reply, not even an error.
    ///
    /// - Throws: `VarlinkError.disconnected` if the connection has ended, `.unencodable`.
    public func callOneway(_ method: String, _ parameters: some Encodable = NoParameters()) throws(VarlinkError) {
        loop.checkIsolated()
        guard socket != nil else { throw .disconnected }
        output.append(try CallMessage.frame(method: method, parameters: parameters, isOneway: true))
        scheduleFlush()
    }

    /// The number of bytes of calls that are not sent yet, because a service stops reading while its replies wait.
    ///
    /// A program that calls without end should check this number before a call, or wait for replies.
    public var unsentByteCount: Int {
        loop.checkIsolated()
        return output.count
    }

    /// True if reading is paused. When the kernel's buffer is full, the service waits.
    ///
    /// During a pause, the end of the connection is not noticed.
    public var isPaused = false {
        didSet {
            loop.checkIsolated()
            guard isPaused != oldValue, socket != nil else { return }
            updateInterest()
            // Bytes that were read before the pause are still to be handled.
            if !isPaused { scheduleDelivery() }
        }
    }

    /// Closes the connection. Waiting calls fail with `disconnected`.
    ///
    /// Calls of the same turn of the loop are sent first, as far as the socket takes them at once.
    public func close() {
        flush()
        end(nil)
    }

    // MARK: Output

    private func begin(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool, _ receive: @escaping Receiver
    ) {
        loop.checkIsolated()
        do throws(VarlinkError) {
            guard socket != nil else { throw .disconnected }
            output.append(try CallMessage.frame(method: method, parameters: parameters, wantsMore: wantsMore))
        } catch {
            // Not within the call: its caller may not expect a callback yet.
            loop.atEndOfTurn { receive(.failure(error)) }
            return
        }
        pending[firstPending + pending.count] = (wantsMore, receive)
        scheduleFlush()
    }

    /// One write for all calls of a turn.
    private func scheduleFlush() {
        guard !willFlush && !isBlocked else { return }
        willFlush = true
        loop.atEndOfTurn {
            self.willFlush = false
            self.flush()
        }
    }

    private func flush() {
        guard socket != nil else { return }
        do throws(SystemError) {
            // If the service has closed the connection, the replies that it sent before are read first.
            isBlocked = try output.send(to: descriptor) == .wouldBlock
        } catch {
            return end(VarlinkError(error))
        }
        updateInterest()
    }

    private func updateInterest() {
        guard let watch else { return }
        var interest: EventLoop.Readiness = isPaused ? [] : .readable
        if isBlocked { interest.insert(.writable) }
        loop.change(watch, to: interest)
    }

    // MARK: Input

    private func becameReady(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.writable) { flush() }
        guard isPaused else { return receive() }
        // During a pause, the kernel would report the end again and again. Replies may precede it.
        if readiness.contains(.failed) { loop.unwatch(&watch) }
    }

    private func scheduleDelivery() {
        guard !willDeliver else { return }
        willDeliver = true
        loop.atEndOfTurn {
            self.willDeliver = false
            self.deliverAll()
            // The end was reported during the pause, and no more bytes arrive.
            while self.watch == nil, self.socket != nil, !self.isPaused { self.receive() }
        }
    }

    private func receive() {
        guard socket != nil else { return }
        do throws(VarlinkError) {
            try reader.receiveReplies(from: descriptor, through: &receiveBuffer)
        } catch {
            return end(error)
        }
        deliverAll()
    }

    private func deliverAll() {
        do throws(VarlinkError) {
            while socket != nil, !isPaused, reader.count > 0 {
                guard let call = pending[firstPending] else { throw .leftOver }
                guard let message = try ReplyMessage.next(from: &reader) else { return }
                if message.continues && !call.wantsMore { throw .unrequestedSeries }
                if !message.continues { removeFirstPending() }
                // Known before the callback, which may send another call.
                let hasLeftOver = pending.isEmpty && reader.count > 0
                call.receive(.success(message))
                if hasLeftOver { throw .leftOver }
            }
        } catch {
            end(error)
        }
    }

    private func removeFirstPending() {
        pending[firstPending] = nil
        firstPending += 1
    }

    // MARK: The end

    private func end(_ error: VarlinkError?) {
        loop.checkIsolated()
        guard socket != nil else { return }
        loop.unwatch(&watch)
        socket = nil
        output.removeAll()
        while let call = pending[firstPending] {
            removeFirstPending()
            call.receive(.failure(error ?? .disconnected))
        }
        closedAction(error)
        closedAction = { _ in }
    }
}

extension Result where Success == ReplyMessage, Failure == VarlinkError {
    fileprivate func decoded<Reply: Decodable>(as type: Reply.Type) -> Result<Reply, VarlinkError> {
        Result<Reply, VarlinkError> { () throws(VarlinkError) in try get().decode(type) }
    }
}
