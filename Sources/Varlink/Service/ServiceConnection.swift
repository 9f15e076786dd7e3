import Unix

/// A client of a service: reads its calls, passes them to the handlers in order, and writes the replies.
///
/// Confined to the loop's thread. One call is answered at a time, in a turn of the service. Later calls stay unparsed in
/// the buffer, so a client that calls too fast waits in its own writes.
final class ServiceConnection {
    let peer: VarlinkPeer
    /// True if its first call gets the error `busy`, because there are too many connections.
    let isRefused: Bool
    /// The watch retains the connection, and the connection retains the service, until the connection is closed.
    private let service: VarlinkService
    private let limits: ServiceLimits
    private let descriptor: Int32
    /// Owns `descriptor`; nil if closed.
    private var socket: Descriptor?
    private var deadline: TimerQueue.Token?
    private var watch: EventLoop.Watch?
    private var interest: EventLoop.Readiness = .readable
    private var reader: FrameReader
    /// The next call, if it is costly and waits for its turn.
    private var costlyFrame: [UInt8]?
    private var output = OutputQueue()
    /// The current call.
    private var active: CallChannel? {
        didSet { service.countStreams(oldValue, active) }
    }
    /// True if the buffer of the socket is full. A writable event follows.
    private var isBlocked = false
    /// True if the client has ended its input. It may still read.
    private var inputEnded = false
    /// True if it has sent an invalid message, which was logged.
    private var isMalformed = false
    /// True if the client has closed the connection. Only its calls without a reply are still handled.
    private var hasHungUp = false
    private var isClosed = false
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
    /// The maximum time for the first call of a refused client, and for reading the replies before an invalid message.
    private static let timeToEnd = Duration.seconds(5)

    init(
        _ socket: consuming Descriptor, peer: VarlinkPeer, of service: VarlinkService, isRefused: Bool
    ) throws(SystemError) {
        self.peer = peer
        self.service = service
        self.isRefused = isRefused
        limits = service.limits
        reader = FrameReader(limit: service.limits.messageBytes)
        descriptor = socket.rawValue
        self.socket = consume socket
        watch = try service.loop.watch(descriptor, for: .readable) { self.becameReady($0) }
        idleSince = .now
        if isRefused { startDeadline() }
    }

    var isDrained: Bool { output.isEmpty }

    // MARK: Events

    private func becameReady(_ readiness: EventLoop.Readiness) {
        if readiness.contains(.failed) {
            handleHangup()
        } else if readiness.contains(.readable) && !inputEnded {
            receive()
        }
        account()
        guard !isClosed else { return }
        updateInterest()
        service.enqueue(self)
    }

    /// Answers one call, or several if no other client waits.
    func takeTurn(isAlone: Bool) {
        var share = isAlone ? limits.callsPerTurn : 1
        while share > 0, canAnswer, costlyFrame == nil, let frame = nextFrame() {
            share -= 1
            answer(frame, isCostlyTurn: false)
        }
        finishTurn()
    }

    /// Answers the costly call, if there is one.
    func takeCostlyTurn() {
        if canAnswer, let frame = costlyFrame {
            costlyFrame = nil
            answer(frame, isCostlyTurn: true)
        }
        finishTurn()
    }

    private var canAnswer: Bool { !isClosed && active == nil && output.count < limits.unreadBytes }

    /// Sends the replies, and decides what follows: another turn, the end, or waiting for events.
    private func finishTurn() {
        flush()
        account()
        guard !isClosed else { return }
        if canAnswer && costlyFrame != nil {
            service.enqueueCostly(self)
        } else if canAnswer && (reader.hasNext() || (hasHungUp && !inputEnded)) {
            service.enqueue(self)
        } else if inputEnded && active == nil && costlyFrame == nil && output.isEmpty {
            guard reader.count > 0 else { return finish() }
            return close(saying: .malformed(peer, reason: "the connection ended within a message"))
        }
        updateInterest()
    }

    /// The memory of this connection, with shared frames.
    var weight: Int { inputBytes + output.count }

    private var inputBytes: Int { reader.allocatedBytes + (costlyFrame?.count ?? 0) }

    /// Updates the idle time, and the memory that the service has counted, which may end this connection or others.
    private func account() {
        // An incomplete call is ignored.
        let isIdle = active == nil && output.isEmpty && costlyFrame == nil && !reader.hasNext()
        idleSince = isIdle ? idleSince ?? .now : nil
        let held = inputBytes + output.heldBytes
        let change = held - heldBytes
        heldBytes = held
        service.account(change)
    }

    private func updateInterest() {
        guard let watch else { return }
        var interest: EventLoop.Readiness = []
        // An incomplete frame must be read further. The limit of the reader ends that.
        let hasRoom = reader.count < limits.pipelineBytes || !reader.hasNext()
        if !inputEnded && hasRoom { interest.insert(.readable) }
        if isBlocked { interest.insert(.writable) }
        guard interest != self.interest else { return }
        self.interest = interest
        do throws(SystemError) {
            try service.loop.change(watch, to: interest)
        } catch {
            // The kernel is out of memory. Without an event, this connection would never continue.
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    // MARK: Input

    private func receive() {
        do throws(SystemError) {
            let transfer = try reader.receive(from: descriptor, through: &service.receiveBuffer)
            // After the end, no more bytes arrive.
            if transfer == .ended || (hasHungUp && transfer == .wouldBlock) { inputEnded = true }
        } catch {
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    private func nextFrame() -> [UInt8]? {
        guard !isClosed else { return nil }
        do throws(MalformedMessage) {
            if let frame = try reader.next() { return frame }
            // There are no events after the end, but the kernel already has all bytes.
            while hasHungUp && !inputEnded && !isClosed {
                receive()
                if let frame = try reader.next() { return frame }
            }
        } catch {
            reject(error)
        }
        return nil
    }

    /// Ends the input, because bytes after an invalid message cannot be read. Earlier replies are still sent.
    private func reject(_ message: MalformedMessage) {
        isMalformed = true
        endInput()
        service.log(.malformed(peer, reason: message.reason))
        if deadline == nil { startDeadline() }
    }

    private func endInput() {
        inputEnded = true
        reader = FrameReader(limit: limits.messageBytes)
    }

    private func startDeadline() {
        deadline = service.loop.schedule(at: .now.advanced(by: Self.timeToEnd)) { [weak self] in self?.finish() }
    }

    // MARK: Calls

    /// Answers a call, or lets it wait for another turn if it is costly.
    private func answer(_ frame: [UInt8], isCostlyTurn: Bool) {
        if isRefused {
            output.append(service.refusal.frame)
            return endInput()
        }
        guard isCostlyTurn || frame.count <= Self.promptFrameBytes else {
            costlyFrame = frame
            return
        }
        idleSince = nil
        let call: CallMessage
        do throws(MalformedMessage) {
            call = try CallMessage(frame)
        } catch {
            return reject(error)
        }
        if hasHungUp && !call.isOneway { return }
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
        if hasHungUp { endActiveCall() }
    }

    // MARK: Replies

    /// Adds a reply of the current call.
    func take(_ reply: EncodedReply, from channel: CallChannel) {
        guard channel === active, !isClosed else { return }
        if !reply.continues { active = nil }
        if !channel.isOneway && !hasHungUp { output.append(reply.frame, holders: reply.holders) }
        if output.count > limits.outputBytes {
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
        guard !output.isEmpty, !hasHungUp, !isClosed else { return }
        do throws(SystemError) {
            let obstacle = try output.send(to: descriptor)
            isBlocked = obstacle == .wouldBlock
            if obstacle == .ended {
                handleHangup()
                service.enqueue(self)
            } else if obstacle == nil {
                active?.drained()
            }
        } catch {
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    // MARK: The end

    /// Handles the end of a client: replies are dropped, and only calls without a reply are handled.
    private func handleHangup() {
        guard !hasHungUp, !isClosed else { return }
        hasHungUp = true
        isBlocked = false
        output.removeAll()
        // The kernel would report the end again and again.
        endWatch()
        endActiveCall()
    }

    private func endActiveCall() {
        let channel = active
        active = nil
        channel?.handleHangup()
    }

    private func endWatch() {
        if let watch { service.loop.unwatch(watch) }
        watch = nil
    }

    /// Closes the connection, after writing what the socket takes without waiting.
    func finish() {
        flush()
        close(saying: isMalformed ? nil : .disconnected(peer))
    }

    /// Closes the connection at once, and logs the event.
    func close(saying event: ServiceEvent?) {
        guard !isClosed else { return }
        isClosed = true
        endWatch()
        if let deadline { service.loop.cancel(deadline) }
        socket = nil
        output.removeAll()
        endInput()
        costlyFrame = nil
        account()
        endActiveCall()
        if let event { service.log(event) }
        service.forget(self)
    }
}
