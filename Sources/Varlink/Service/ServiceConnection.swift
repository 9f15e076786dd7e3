import Unix

/// One client of a service: reads its calls, has them answered in order, writes the replies.
///
/// It lives on the loop's thread. One call is answered at a time; those behind it stay bytes until their turn, so that
/// a client which calls faster than it is answered ends up waiting in its own writes. Events only read; calls are answered
/// in turns that the service gives.
final class ServiceConnection {
    let peer: VarlinkPeer
    /// Told, to its first call, that it is one too many.
    let isRefused: Bool
    /// Its watch holds the connection, and the connection the service, until it is closed.
    private let service: VarlinkService
    private let limits: ServiceLimits
    private let descriptor: Int32
    /// Nil when closed; the owner of `descriptor`.
    private var socket: Descriptor?
    private var deadline: TimerQueue.Token?
    private var watch: EventLoop.Watch?
    private var interest: EventLoop.Readiness = .readable
    private var reader: FrameReader
    /// The next call, which costs much and waits for a turn of that kind.
    private var costlyFrame: [UInt8]?
    private var output = OutputQueue()
    /// The call that is being answered.
    private var active: CallChannel? {
        didSet { service.countStreams(oldValue, active) }
    }
    /// The kernel took less than there is: it says when it takes more.
    private var isBlocked = false
    /// The client sends nothing more; it may still read.
    private var inputEnded = false
    /// It sent what is no call, and the log was told.
    private var isMalformed = false
    /// The client has hung up: nobody reads the answers. Only its calls that want none are still made.
    private var isGone = false
    private var isClosed = false
    /// What it has added to the service's account of memory.
    private var heldBytes = 0
    /// Since when the client is owed nothing, and has not called; nil while a call is answered or an answer not taken.
    private(set) var idleSince: BootInstant?
    /// Whether it waits for a turn.
    var isMarked = false
    /// Whether it waits for a turn for what costs much.
    var isMarkedCostly = false

    /// A longer call takes long to read, and costs much whatever its method.
    private static let promptFrameBytes = 8192

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
            clientHasGone()
        } else if readiness.contains(.readable) && !inputEnded {
            receive()
        }
        account()
        guard !isClosed else { return }
        noteIdleness()
        updateInterest()
        service.mark(self)
    }

    /// Answers one call, or several if nobody else waits, and sends what there is to send.
    func takeTurn(isAlone: Bool) {
        var share = isAlone || isGone ? limits.callsPerTurn : 1
        while share > 0, canAnswer, costlyFrame == nil, let frame = nextFrame() {
            share -= 1
            answer(frame, isCostlyTurn: false)
        }
        flush()
        settle()
    }

    /// Answers the call that waited for this turn, and sends what there is to send.
    func takeCostlyTurn() {
        if canAnswer, let frame = costlyFrame {
            costlyFrame = nil
            answer(frame, isCostlyTurn: true)
        }
        flush()
        settle()
    }

    private var canAnswer: Bool {
        !isClosed && active == nil && output.count < limits.unreadBytes
    }

    /// Decides what happens next: another turn, the end, or waiting, and for what.
    private func settle() {
        account()
        guard !isClosed else { return }
        noteIdleness()
        if canAnswer && costlyFrame != nil {
            service.markCostly(self)
        } else if canAnswer && (reader.hasNext() || (isGone && !inputEnded)) {
            service.mark(self)
        } else if inputEnded && active == nil && costlyFrame == nil && output.isEmpty {
            if reader.count > 0 {
                close(saying: .malformed(peer, reason: "the connection ended within a message"))
            } else {
                close(saying: isMalformed ? nil : .disconnected(peer))
            }
            return
        }
        updateInterest()
    }

    /// What has come of a call that is not complete counts for nothing.
    private func noteIdleness() {
        let isIdle = active == nil && output.isEmpty && costlyFrame == nil && !reader.hasNext()
        idleSince = isIdle ? idleSince ?? .now : nil
    }

    /// All that it makes the service hold, with what others hold as well.
    var weight: Int { inputBytes + output.count }

    private var inputBytes: Int { reader.allocatedBytes + (costlyFrame?.count ?? 0) }

    /// Brings the service's account of memory up to date, which may end this connection or others.
    private func account() {
        let held = inputBytes + output.heldBytes
        let change = held - heldBytes
        heldBytes = held
        service.account(change)
    }

    private func updateInterest() {
        guard let watch else { return }
        var interest: EventLoop.Readiness = []
        // A frame that is not complete must be read on; the reader's own limit ends that.
        let hasRoom = reader.count < limits.pipelineBytes || !reader.hasNext()
        if !inputEnded && hasRoom { interest.insert(.readable) }
        if isBlocked { interest.insert(.writable) }
        guard interest != self.interest else { return }
        self.interest = interest
        do throws(SystemError) {
            try service.loop.change(watch, to: interest)
        } catch {
            // The kernel is out of memory; without its word this connection would hang for good.
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    // MARK: Input

    private func receive() {
        do throws(SystemError) {
            let transfer = try service.receive(from: descriptor, into: &reader)
            // Of a client that has gone, what there is is all there will be.
            if transfer == .ended || (isGone && transfer == .wouldBlock) { inputEnded = true }
        } catch {
            close(saying: .malformed(peer, reason: error.description))
        }
    }

    private func nextFrame() -> [UInt8]? {
        guard !isClosed else { return nil }
        do throws(FrameReader.Failure) {
            if let frame = try reader.next() { return frame }
            // Nobody says when there is more to read of a client that has gone; what it sent is in the kernel already.
            while isGone && !inputEnded && !isClosed {
                receive()
                if let frame = try reader.next() { return frame }
            }
        } catch {
            endInput(reason: error.reason)
        }
        return nil
    }

    /// What came is no call, and what follows cannot be understood; what was answered before is still to be taken.
    private func endInput(reason: String) {
        isMalformed = true
        inputEnded = true
        reader = FrameReader(limit: limits.messageBytes)
        service.log(.malformed(peer, reason: reason))
        startDeadline()
    }

    /// From here on, the client has so long to take what there is for it.
    private func startDeadline() {
        guard deadline == nil else { return }
        deadline = service.loop.schedule(at: .now.advanced(by: ServiceRefusal.patience)) { [weak self] in
            self?.finish()
        }
    }

    // MARK: Calls

    /// Answers a call, or has it wait for another turn if it costs too much for this one.
    private func answer(_ frame: [UInt8], isCostlyTurn: Bool) {
        guard !isRefused else { return refuse() }
        guard isCostlyTurn || frame.count <= Self.promptFrameBytes else {
            costlyFrame = frame
            return
        }
        idleSince = nil
        let call: CallMessage
        do throws(MalformedMessage) {
            call = try CallMessage(frame)
        } catch {
            return endInput(reason: error.reason)
        }
        if isGone && !call.isOneway { return }
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
            if isTooMany { throw service.refuseStream(peer) }
            guard let entry else { throw service.lacks(call.method) }
            try entry.run(call, channel)
        } catch let error as ErrorReply {
            if channel.isOpen { channel.send(EncodedReply(error)) }
        } catch {
            channel.failUnexpectedly(error)
        }
        // Nobody will take what the handler has not answered by now.
        if isGone { endActiveCall() }
    }

    private func refuse() {
        output.append(service.refusal.frame)
        inputEnded = true
        reader = FrameReader(limit: limits.messageBytes)
    }

    // MARK: Replies

    /// Takes a reply of the active call.
    func take(_ reply: EncodedReply, from channel: CallChannel) {
        guard channel === active, !isClosed else { return }
        if !reply.continues { active = nil }
        if !channel.isOneway && !isGone { output.append(reply.frame, holders: reply.holders) }
        if output.count > limits.outputBytes {
            giveUp(limit: limits.outputBytes)
        } else if channel.wantsMore {
            service.markCostly(self)
        } else {
            service.mark(self)
        }
    }

    /// The handler of the active call failed with what is no reply.
    func handlerFailed(_ channel: CallChannel, _ error: any Error) {
        guard channel === active else { return }
        active = nil
        service.log(.failed(peer, method: channel.method, reason: "\(error)"))
        if !channel.isOneway && !isGone { output.append(EncodedReply(service.explain(error)).frame) }
        service.mark(self)
    }

    /// Hands to the kernel what it takes of the replies that wait.
    func flush() {
        guard !output.isEmpty, !isGone, !isClosed else { return }
        var hasEnded = false
        isBlocked = false
        do throws(SystemError) {
            try output.drain { (bytes) throws(SystemError) -> Int? in
                switch try StreamSocket.send(bytes, to: descriptor) {
                case .moved(let count): return count
                case .wouldBlock: isBlocked = true
                case .ended: hasEnded = true
                }
                return nil
            }
        } catch {
            return close(saying: .malformed(peer, reason: error.description))
        }
        if hasEnded {
            clientHasGone()
            service.mark(self)
        } else if output.isEmpty {
            active?.drained()
        }
    }

    // MARK: The end

    /// Nobody reads any more: answers, and calls for an answer, have no use.
    private func clientHasGone() {
        guard !isGone, !isClosed else { return }
        isGone = true
        isBlocked = false
        output.removeAll()
        // The kernel would report the hang-up again and again.
        endWatch()
        endActiveCall()
    }

    private func endActiveCall() {
        let channel = active
        active = nil
        channel?.clientHasGone()
    }

    private func endWatch() {
        if let watch { service.loop.unwatch(watch) }
        watch = nil
    }

    /// Ends the connection; what can be written without waiting is written before.
    func finish() {
        flush()
        close(saying: isMalformed ? nil : .disconnected(peer))
    }

    /// Ends the connection for the sake of another.
    func giveWay() {
        close(saying: .gaveWay(peer))
    }

    /// Ends the connection for the memory it holds.
    func giveUp(limit: Int) {
        close(saying: .overrun(peer, limit: limit))
    }

    private func close(saying event: ServiceEvent?) {
        guard !isClosed else { return }
        isClosed = true
        endWatch()
        if let deadline { service.loop.cancel(deadline) }
        socket = nil
        output.removeAll()
        reader = FrameReader(limit: limits.messageBytes)
        costlyFrame = nil
        account()
        endActiveCall()
        if let event { service.log(event) }
        service.forget(self)
    }
}
