import Glibc
import Unix
import Varlink

/// A client that sends the bytes of a script in pieces, and reads when the script says so. A second client sends the same
/// call again and again.
///
/// The properties: each call gets its reply, in order, and an invalid message ends the connection; all replies are valid
/// for other clients; the second client does not wait; memory stays within the limits and is released at the end.
final class ServiceTrial {
    /// More turns than any script needs. A client that still waits is stuck.
    private static let maxTurns = 6000
    /// The maximum number of turns until the second client has its reply.
    private static let maxTurnsOfNeighbor = 12

    private enum Stage {
        case talking, releasing, leaving, over
    }

    private let loop: EventLoop
    private let fuzzed: FuzzedService
    private let service: VarlinkService
    private let events: EventList
    private let client: TrialClient
    private let neighbor: TrialClient
    private var conversation: Conversation
    private var script: Script
    private let leavesEarly: Bool
    private var stage = Stage.talking
    private var turns = 0
    private var askedAt: Int?
    private var violation: (any Error)?

    init(_ script: Script) throws {
        var script = script
        leavesEarly = script.number(below: 8) == 7
        let cut = max(0, script.number(below: 16) - 10)
        conversation = Conversation(&script)
        conversation.cutOff(cut)
        self.script = script
        loop = try EventLoop()
        events = EventList()
        fuzzed = FuzzedService(on: loop)
        service = try fuzzed.makeService { [events] in events.add($0) }
        client = try TrialClient(of: service)
        neighbor = try TrialClient(of: service)
        client.unsent = conversation.bytes[...]
    }

    func run() throws {
        loop.atEndOfTurn { self.turn() }
        loop.run()
        if let violation { throw violation }
    }

    private func turn() {
        do {
            turns += 1
            try demand(turns < Self.maxTurns, "stuck while \(stage): \(conversation.answers)")
            try demand(
                service.heldBytes <= FuzzedService.limits.totalBytes, "\(service.heldBytes) bytes are held")
            try askAsNeighbor()
            try advance()
        } catch {
            let said = String(decoding: conversation.bytes.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
            violation = Violation(description: "\(error)\nsaid: \(said)\nevents: \(events.all)")
            stage = .over
        }
        if stage == .over { return loop.stop() }
        loop.atEndOfTurn { self.turn() }
    }

    // MARK: The client

    private func advance() throws {
        switch stage {
        case .talking: try talk()
        case .releasing:
            // Later calls get the same replies.
            fuzzed.assumeIsolated {
                $0.release()
                $0.endStreams()
            }
            try client.send(4096)
            if client.unsent.isEmpty { client.finishWriting() }
            if try client.receive() {
                try check()
                stage = .leaving
            }
        case .leaving:
            neighbor.close()
            client.close()
            if service.connectionCount == 0 {
                try demand(service.heldBytes == 0, "\(service.heldBytes) bytes are left")
                try demand(service.streamCount == 0, "\(service.streamCount) streams are left")
                service.stop()
                stage = .over
            }
        case .over: break
        }
    }

    /// Does the next step of the script.
    private func talk() throws {
        if script.isAtEnd {
            stage = leavesEarly ? .leaving : .releasing
            return
        }
        switch script.number(below: 8) {
        case 0: try fuzzed.assumeIsolated { try $0.publish("news") }
        case 1: fuzzed.assumeIsolated { $0.release() }
        case 2: fuzzed.assumeIsolated { $0.endStreams() }
        case 3, 4: _ = try client.receive()
        case 5: break
        default: try client.send(1 + script.number(below: 200))
        }
    }

    private func check() throws {
        let messages = try client.messages()
        var comparison = ReplyComparison(messages: messages)
        let endsEarly = try comparison.compare(with: conversation)
        let problem = events.problem(endsEarly: endsEarly, isCutOff: conversation.isCutOff)
        try demand(problem == nil, "the service says \(problem ?? "")")
    }

    // MARK: Its neighbor

    private func askAsNeighbor() throws {
        guard stage != .leaving else { return }
        _ = try neighbor.receive()
        if let asked = askedAt {
            let answers = try neighbor.messages()
            if answers.isEmpty {
                try demand(turns - asked <= Self.maxTurnsOfNeighbor, "the other client waits while \(stage)")
                return
            }
            try demand(answers == [#"{"parameters":{"text":"plain"}}"#], "the other client gets \(answers)")
            neighbor.forgetMessages()
            askedAt = nil
        }
        // Not in each turn, because most of the work would be for this client.
        guard turns % 4 == 1 else { return }
        askedAt = turns
        neighbor.unsent = Array(#"{"method":"org.example.fuzz.Echo","parameters":{"text":"plain"}}"#.utf8 + [0])[...]
        try neighbor.send(4096)
    }
}

/// The events of the first client.
private final class EventList: @unchecked Sendable {
    // `@unchecked Sendable`: a trial has one thread.
    private var reasons: [String] = []
    private var others: [String] = []
    private(set) var all: [String] = []

    func add(_ event: ServiceEvent) {
        all.append(event.description)
        switch event {
        case .malformed(let peer, let reason) where peer.connection == 1: reasons.append(reason)
        case .connected, .disconnected, .failed: break
        default: others.append(event.description)
        }
    }

    /// Returns an unexpected event, or a description of a missing one.
    func problem(endsEarly: Bool?, isCutOff: Bool) -> String? {
        if let other = others.first { return other }
        switch endsEarly {
        case nil: return reasons.count < 2 ? nil : "\(reasons)"
        case false? where !isCutOff: return reasons.first
        default: return reasons.count == 1 ? nil : "\(reasons) of what is no message"
        }
    }
}
