import Glibc
import Unix
import Varlink

/// One client says what a script has it say, in pieces and with pauses, and reads when the script lets it; a second client
/// asks a plain question again and again.
///
/// The laws: each call gets its answer, in order, and what is no call ends the connection there; whatever is written is a
/// message as stock clients take it; the second client waits for nobody; memory stays within the limits; and nothing is
/// left when the clients have gone.
final class ServiceTrial {
    /// More turns than any schedule needs; who is still waiting then waits for good.
    private static let mostTurns = 6000
    /// In so many turns the second client has its answer.
    private static let patience = 12

    private enum Stage {
        case talking, releasing, leaving, over
    }

    private let loop: EventLoop
    private let fuzzed: FuzzedService
    private let service: VarlinkService
    private let events: EventList
    private let client: TrialClient
    private let neighbour: TrialClient
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
        neighbour = try TrialClient(of: service)
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
            try demand(turns < Self.mostTurns, "stuck while \(stage): \(conversation.answers)")
            try demand(
                service.heldBytes <= FuzzedService.limits.totalBytes, "\(service.heldBytes) bytes are held")
            try askAsNeighbour()
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
            // Whoever calls again now is answered as the first were.
            fuzzed.assumeIsolated {
                $0.release()
                $0.endStreams()
            }
            try client.send(4096)
            if client.unsent.isEmpty { client.finishWriting() }
            if try client.receive() {
                try judge()
                stage = .leaving
            }
        case .leaving:
            neighbour.close()
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

    /// Does what the script says next.
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

    private func judge() throws {
        let messages = try client.messages()
        var verdict = Verdict(messages: messages)
        let endsEarly = try verdict.compare(with: conversation)
        let problem = events.problem(endsEarly: endsEarly, isCutOff: conversation.isCutOff)
        try demand(problem == nil, "the service says \(problem ?? "")")
    }

    // MARK: Its neighbour

    private func askAsNeighbour() throws {
        guard stage != .leaving else { return }
        _ = try neighbour.receive()
        if let asked = askedAt {
            let answers = try neighbour.messages()
            if answers.isEmpty {
                try demand(turns - asked <= Self.patience, "the other client waits while \(stage)")
                return
            }
            try demand(answers == [#"{"parameters":{"text":"plain"}}"#], "the other client gets \(answers)")
            neighbour.forgetMessages()
            askedAt = nil
        }
        // Not all the time, or most of the work would be for it.
        guard turns % 4 == 1 else { return }
        askedAt = turns
        neighbour.unsent = Array(#"{"method":"org.example.fuzz.Echo","parameters":{"text":"plain"}}"#.utf8 + [0])[...]
        try neighbour.send(4096)
    }
}

/// What the service tells of the first client.
private final class EventList: @unchecked Sendable {
    // `@unchecked Sendable`: a trial is one thread.
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

    /// What it should not have said, or should have.
    func problem(endsEarly: Bool?, isCutOff: Bool) -> String? {
        if let other = others.first { return other }
        switch endsEarly {
        case nil: return reasons.count < 2 ? nil : "\(reasons)"
        case false? where !isCutOff: return reasons.first
        default: return reasons.count == 1 ? nil : "\(reasons) of what is no message"
        }
    }
}
