import Unix

/// A client of a service: reads its calls, passes them to the handlers in order, and writes the replies.
///
/// Confined to the loop's thread. One call is answered at a time, in a turn of the service. Later calls stay unparsed in
/// the buffer, so a client that calls too fast waits in its own writes.
final class ServiceConnection {
    private enum Input {
        /// More bytes may arrive.
        case open
        /// The client has ended its input. The calls before the end are answered.
        case ended
        /// A message was invalid, and bytes after it have no meaning. The replies to earlier calls are sent.
        case malformed
    }

    private enum Output {
        /// The socket takes bytes.
        case flowing
        /// The buffer of the socket is full. A writable event follows.
        case blocked
        /// The client reads no more. Replies are dropped, and only calls without a reply are handled.
        case gone
    }

    let peer: VarlinkPeer
    /// The watch retains the connection, and the connection retains the service, until the connection is closed.
    private let service: VarlinkService
    private let limits: ServiceLimits
    private let descriptor: Int32
    /// Owns `descriptor`; nil if closed.
    private var socket: Descriptor?
    /// Nil after the client has gone.
    private var watch: EventLoop.Watch?
    private var input = Input.open
    private var output = Output.flowing
    private var reader: FrameReader
    /// The next call, if it is costly and waits for its turn.
    private var costlyFrame: [UInt8]?
    private var replies = OutputQueue()
    /// The current call.
    private var active: CallChannel? {
        didSet { service.countStreams(oldValue, active) }
    }
    /// The memory that the service has counted for this connection.
    private var heldBytes = 0
    /// The time since when there is no call and no unread reply; nil if there is one.
    private(set) var idleSince: BootInstant?
    /// True if it waits for a turn.
    var isQueued = false
    /// True if it waits for a turn for a costly call.
    var isQueuedCostly = false

    /// A longer call is costly because it takes long to read.
    private static let promptFrameBytes = 8192

    init(_ socket: consuming Descriptor, peer: VarlinkPeer, of service: VarlinkService) throws(SystemError) {
        self.peer = peer
        self.service = service
        limits = service.limits
        reader = FrameReader(limit: service.limits.messageBytes)
        descriptor = socket.rawValue
        self.socket = consume socket
        watch = try service.loop.watch(descriptor, for: .readable) { self.becameReady($0) }
        idleSince = .now
    }

    var isDrained: Bool { replies.isEmpty }

    private var isClosed: Bool { socket == nil }

    // MARK: Events

    private func becameReady(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.failed) {
            hangUp()
        } else if readiness.contains(.readable) && input == .open {
            receive()
        }
        account()
        // The turn sends the replies that wait.
        if !isClosed { service.enqueue(self) }
    }

    /// Answers one call, or several if no other client waits.
    func takeTurn(isAlone: Bool) {
        var share = isAlone ? limits.callsPerTurn : 1
        while share > 0, mayAnswer, costlyFrame == nil, let frame = nextFrame() {
            share -= 1
            answer(frame, isCostlyTurn: false)
        }
        finishTurn()
    }

    /// Answers the costly call, if there is one.
    func takeCostlyTurn() {
        if mayAnswer, let frame = costlyFrame {
            costlyFrame = nil
            answer(frame, isCostlyTurn: true)
        }
        finishTurn()
    }

    /// True if the next call may be answered: one at a time, while the client reads replies.
    private var mayAnswer: Bool { !isClosed && active == nil && replies.count < limits.unreadBytes }

    /// Sends the replies, and prepares what follows.
    private func finishTurn() {
        flush()
        account()
        guard !isClosed else { return }
        let hasCall = costlyFrame != nil || reader.hasNext()
        if mayAnswer && hasCall {
            if costlyFrame == nil { service.enqueue(self) } else { service.enqueueCostly(self) }
        } else if input != .open && active == nil && !hasCall && replies.isEmpty {
            guard input == .ended && reader.count > 0 else { return finish() }
            close(saying: .malformed(peer, reason: "the connection ended within a message"))
        } else {
            var interest: EventLoop.Readiness = []
            // An incomplete message must be read further. The limit of the reader ends that.
            if input == .open && (reader.count < limits.pipelineBytes || !reader.hasNext()) {
                interest.insert(.readable)
            }
            if output == .blocked { interest.insert(.writable) }
            if let watch { service.loop.change(watch, to: interest) }
        }
    }

    /// The client reads no more. Ends the current call.
    private func hangUp() {
        guard output != .gone else { return }
        output = .gone
        service.loop.unwatch(&watch)
        replies.removeAll()
        endActiveCall()
        // The kernel would report the end again and again. The buffer of the socket bounds the rest of the input.
        while !isClosed && input == .open { receive() }
    }

    /// The memory of this connection, with shared frames.
    var weight: Int { inputBytes + replies.count }

    private var inputBytes: Int { reader.allocatedBytes + (costlyFrame?.count ?? 0) }

    /// Updates the idle time, and the memory that the service has counted, which may end this connection or others.
    private func account() {
        // An incomplete call is ignored.
        let isIdle = active == nil && replies.isEmpty && costlyFrame == nil && !reader.hasNext()
        idleSince = isIdle ? idleSince ?? .now : nil
        let held = inputBytes + replies.heldBytes
        let change = held - heldBytes
        heldBytes = held
        service.account(change)
    }

    // MARK: Calls

    private func receive() {
        do throws(SystemError) {
            let transfer = try reader.receive(from: descriptor, through: &service.receiveBuffer)
            // Of a client that has gone, the kernel has all bytes.
            if transfer == .ended || (output == .gone && transfer == .wouldBlock) { input = .ended }
        } catch {
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    private func nextFrame() -> [UInt8]? {
        do throws(VarlinkError) {
            return try reader.next()
        } catch {
            reject(error)
            return nil
        }
    }

    private func reject(_ error: VarlinkError) {
        input = .malformed
        reader = FrameReader(limit: limits.messageBytes)
        if case .malformed(let reason) = error { service.log(.malformed(peer, reason: reason)) }
    }

    /// Answers a call, or lets it wait for another turn if it is costly.
    private func answer(_ frame: [UInt8], isCostlyTurn: Bool) {
        guard isCostlyTurn || frame.count <= Self.promptFrameBytes else {
            costlyFrame = frame
            return
        }
        idleSince = nil
        let call: CallMessage
        do throws(VarlinkError) {
            call = try CallMessage(frame)
        } catch {
            return reject(error)
        }
        if output == .gone && !call.isOneway { return }
        let entry = service.methods[call.method]
        if !isCostlyTurn && entry?.isCostly == true {
            costlyFrame = frame
            return
        }
        let streams = call.wantsMore && entry != nil && entry?.more != .never
        let isTooMany = streams && service.streamCount >= limits.streams
        let channel = CallChannel(
            of: self, loop: service.loop, method: call.method, wantsMore: streams && !isTooMany,
            isOneway: call.isOneway)
        active = channel
        do {
            if isTooMany { throw service.tooManyStreamsError(peer) }
            guard let entry else { throw service.unknownMethodError(call.method) }
            try entry.run(call, channel)
        } catch {
            channel.fail(error)
        }
        // The client has gone, so a later reply has no reader.
        if output == .gone { endActiveCall() }
    }

    // MARK: Replies

    /// Adds a reply of the current call.
    func take(_ reply: EncodedReply, from channel: CallChannel) {
        guard channel === active, !isClosed else { return }
        if !reply.continues { active = nil }
        if !channel.isOneway && output != .gone { replies.append(reply.frame, holders: reply.holders) }
        if replies.count > limits.outputBytes {
            close(saying: .overrun(peer, limit: limits.outputBytes))
        } else if channel.wantsMore {
            service.enqueueCostly(self)
        } else {
            service.enqueue(self)
        }
    }

    /// Logs an error of a handler that is not a reply, and returns the reply.
    func explain(_ error: any Error, of method: String) -> ErrorReply {
        service.log(.failed(peer, method: method, reason: "\(error)"))
        return service.explain(error)
    }

    /// Writes as many waiting replies as the socket takes.
    func flush() {
        guard !replies.isEmpty, !isClosed else { return }
        do throws(SystemError) {
            switch try replies.send(to: descriptor) {
            case .wouldBlock: output = .blocked
            case .ended: hangUp()
            default:
                output = .flowing
                active?.drained()
            }
        } catch {
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    // MARK: The end

    private func endActiveCall() {
        let channel = active
        active = nil
        channel?.handleHangup()
    }

    /// Closes the connection, after writing what the socket takes without waiting.
    func finish() {
        flush()
        close(saying: input == .malformed ? nil : .disconnected(peer))
    }

    /// Closes the connection at once, and logs the event.
    func close(saying event: ServiceEvent?) {
        guard !isClosed else { return }
        socket = nil
        service.loop.unwatch(&watch)
        replies.removeAll()
        reader = FrameReader(limit: limits.messageBytes)
        costlyFrame = nil
        account()
        endActiveCall()
        if let event { service.log(event) }
        service.forget(self)
    }
}
