import Unix

/// A connection for programs that live on a loop and must not wait: viewers, other services.
///
/// Replies come to callbacks on the loop, in the order of the calls; calls may be made before earlier ones are
/// answered. Its methods are called on the loop and trap elsewhere. It lives until it is closed, from either side.
///
/// `@unchecked Sendable`: its state is touched on the loop's thread alone, which every method checks.
public final class VarlinkConnection: @unchecked Sendable {
    /// What is told about a call.
    public enum Answer<Reply: Sendable>: Sendable {
        /// A reply; more follow.
        case continues(Reply)
        /// The last reply.
        case last(Reply)
        /// An error; nothing follows.
        case failed(VarlinkError)
    }

    private let loop: EventLoop
    private let descriptor: Int32
    /// Nil when closed; the owner of `descriptor`.
    private var socket: Descriptor?
    private var watch: EventLoop.Watch?
    private var interest: EventLoop.Readiness = .readable
    private var isBlocked = false
    private var willFlush = false
    private var willDeliver = false
    private var reader: FrameReader
    private var output = OutputQueue()
    private var pending = PendingCalls()
    private var closedAction: @Sendable (VarlinkError?) -> Void
    private var receiveBuffer = ReceiveBuffer(byteCount: 1 << 16)

    /// Connects to a service. This does not wait: a service whose queue is full is unreachable for now.
    ///
    /// - Parameters:
    ///   - address: what `VarlinkAddress` reads: `unix:/run/example.sock`, or the path alone.
    ///   - loop: where it lives, and its callbacks are called.
    ///   - replyLimit: the most bytes one reply may have.
    ///   - onClosed: is called once, on the loop, when the connection has ended: with nil where `close` did it, else
    ///     with the reason. Calls that wait are failed before.
    /// - Throws: `VarlinkError.unreachable`, `.invalidAddress`.
    public init(
        to address: String, on loop: VarlinkLoop, replyLimit: Int = 16 << 20,
        onClosed: @escaping @Sendable (VarlinkError?) -> Void = { _ in }
    ) throws(VarlinkError) {
        let place = try VarlinkAddress(address)
        self.loop = loop.events
        reader = FrameReader(limit: replyLimit)
        closedAction = onClosed
        do throws(SystemError) {
            let socket = try StreamSocket.connect(to: place.socket, isBlocking: false)
            descriptor = socket.rawValue
            self.socket = consume socket
            watch = try self.loop.watch(descriptor, for: .readable) { self.becameReady($0) }
        } catch {
            throw .unreachable(address: place.place, reason: error.reason, errno: error.code)
        }
    }

    /// Calls a method; the callback gets its reply.
    public func call<Reply: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        _ completion: @escaping @Sendable (Result<Reply, VarlinkError>) -> Void
    ) {
        begin(method, parameters, wantsMore: false) { result in
            completion(result.decode(type))
        }
    }

    /// Calls a method that may send several replies; the callback gets each.
    ///
    /// A stream that does not end by itself is ended by closing the connection.
    public func stream<Reply: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable = NoParameters(), returning type: Reply.Type = Reply.self,
        _ receive: @escaping @Sendable (Answer<Reply>) -> Void
    ) {
        var hasFailed = false
        begin(method, parameters, wantsMore: true) { result in
            // A stream that could not be understood once is not followed any further.
            guard !hasFailed else { return }
            let continues = (try? result.get().continues) ?? false
            switch result.decode(type) {
            case .success(let reply): receive(continues ? .continues(reply) : .last(reply))
            case .failure(let error):
                hasFailed = true
                receive(.failed(error))
            }
        }
    }

    /// Calls a method that sends nothing back, not even an error.
    ///
    /// - Throws: `VarlinkError.disconnected` where the connection has ended, `.unencodable`.
    public func callOneway(_ method: String, _ parameters: some Encodable = NoParameters()) throws(VarlinkError) {
        loop.checkIsolated()
        guard socket != nil else { throw .disconnected }
        output.append(try CallMessage.frame(method: method, parameters: parameters, isOneway: true))
        scheduleFlush()
    }

    /// The bytes of calls that the service has not taken yet: it takes no more while it waits for its answers to be read.
    ///
    /// Who calls faster than it is answered, without end, looks here before the next call, or waits for an answer.
    public var unsentByteCount: Int {
        loop.checkIsolated()
        return output.count
    }

    /// Whether replies are left where they are: with the service, once what the kernel holds for it is full.
    ///
    /// For who cannot take any more at the moment. A connection that ends is not noticed meanwhile.
    public var isPaused = false {
        didSet {
            loop.checkIsolated()
            guard isPaused != oldValue, socket != nil else { return }
            updateInterest()
            // What was read before the pause is in nobody's hands.
            if !isPaused { scheduleDelivery() }
        }
    }

    /// Ends the connection; calls that wait fail with `disconnected`.
    ///
    /// What was called in the same turn of the loop is sent before, as far as the service takes it at once.
    public func close() {
        flush()
        end(nil)
    }

    // MARK: Output

    private func begin(
        _ method: String, _ parameters: some Encodable, wantsMore: Bool,
        _ receive: @escaping (Result<ReplyMessage, VarlinkError>) -> Void
    ) {
        loop.checkIsolated()
        do throws(VarlinkError) {
            guard socket != nil else { throw .disconnected }
            output.append(try CallMessage.frame(method: method, parameters: parameters, wantsMore: wantsMore))
        } catch {
            // Never from within the call: its caller may not be ready for it.
            loop.atEndOfTurn { receive(.failure(error)) }
            return
        }
        pending.append(.init(wantsMore: wantsMore, receive: receive))
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
        isBlocked = false
        do throws(SystemError) {
            try output.drain { (bytes) throws(SystemError) -> Int? in
                switch try StreamSocket.send(bytes, to: descriptor) {
                case .moved(let count): return count
                case .wouldBlock: isBlocked = true
                // What the service said before it closed is still to be read, and then the end.
                case .ended: break
                }
                return nil
            }
        } catch {
            return end(VarlinkError(error))
        }
        updateInterest()
    }

    private func updateInterest() {
        guard let watch else { return }
        let interest: EventLoop.Readiness = isPaused ? [] : .readable
        let wanted = isBlocked ? interest.union(.writable) : interest
        guard wanted != self.interest else { return }
        self.interest = wanted
        do throws(SystemError) {
            try loop.change(watch, to: wanted)
        } catch {
            // Without the kernel's word the connection would hang for good.
            end(VarlinkError(error))
        }
    }

    // MARK: Input

    private func becameReady(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.writable) { flush() }
        // Who has paused is told of the end alone, and there may be replies before it.
        guard socket != nil, !isPaused else { return isPaused ? stopHearing(readiness) : () }
        do throws(VarlinkError) {
            try receiveBuffer.receiveReplies(from: descriptor, into: &reader)
        } catch {
            return end(error)
        }
        deliverAll()
    }

    /// The kernel would report the service's end again and again.
    private func stopHearing(_ readiness: EventLoop.Readiness) {
        guard readiness.contains(.failed), let watch else { return }
        loop.unwatch(watch)
        self.watch = nil
    }

    private func scheduleDelivery() {
        guard !willDeliver else { return }
        willDeliver = true
        loop.atEndOfTurn {
            self.willDeliver = false
            self.deliverAll()
            if self.watch == nil { self.readToEnd() }
        }
    }

    private func deliverAll() {
        do throws(VarlinkError) {
            while socket != nil, !isPaused, let message = try ReplyMessage.next(from: &reader) {
                try deliver(message)
            }
        } catch {
            end(error)
        }
    }

    /// Of a service that has gone, what there is is all there will be.
    private func readToEnd() {
        while socket != nil, !isPaused {
            do throws(VarlinkError) {
                try receiveBuffer.receiveReplies(from: descriptor, into: &reader)
            } catch {
                return end(error)
            }
            deliverAll()
        }
    }

    private func deliver(_ message: ReplyMessage) throws(VarlinkError) {
        guard let call = pending.first else { throw .malformed(reason: "a reply arrived without a call") }
        if message.continues && !call.wantsMore { throw .malformed(reason: "an unrequested series of replies") }
        if !message.continues { pending.removeFirst() }
        call.receive(.success(message))
    }

    // MARK: The end

    private func end(_ error: VarlinkError?) {
        loop.checkIsolated()
        guard socket != nil else { return }
        if let watch { loop.unwatch(watch) }
        watch = nil
        socket = nil
        output.removeAll()
        let calls = pending.takeAll()
        for call in calls { call.receive(.failure(error ?? .disconnected)) }
        closedAction(error)
        closedAction = { _ in }
    }
}

extension Result where Success == ReplyMessage, Failure == VarlinkError {
    fileprivate func decode<Reply: Decodable>(_ type: Reply.Type) -> Result<Reply, VarlinkError> {
        do throws(VarlinkError) {
            return .success(try get().decode(type))
        } catch {
            return .failure(error)
        }
    }
}
