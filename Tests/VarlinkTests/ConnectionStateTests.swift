import Testing
import Unix

@testable import Varlink

/// The states of a connection: every state with every event, and the steps.
@Suite struct ConnectionStateTests {
    private typealias State = ConnectionState

    private static let events: [State.Event] = State.Event.allCases

    /// Every state that events can reach.
    private static let states: Set<State> = {
        var found: Set<State> = [State()]
        var waiting = [State()]
        while let state = waiting.popLast() {
            for event in events {
                var next = state
                _ = next.handle(event)
                if found.insert(next).inserted { waiting.append(next) }
            }
        }
        return found
    }()

    @Test("each event changes one side, and later events do not undo an end")
    func transitions() {
        #expect(Self.states.count == State.Input.allCases.count * State.Output.allCases.count)
        for state in Self.states {
            for event in Self.events {
                var next = state
                let effects = next.handle(event)
                let expected = Self.expected(event, in: state)
                #expect((next.input, next.output) == (expected.input, expected.output), "\(event) in \(state)")
                #expect(effects == expected.effects, "\(event) in \(state)")
            }
        }
    }

    /// The table of the documentation: one row for each event.
    private static func expected(
        _ event: State.Event, in state: State
    ) -> (input: State.Input, output: State.Output, effects: State.Effects) {
        let isGone = state.output == .gone
        switch event {
        case .inputEnded: return (state.input == .open ? .ended : state.input, state.output, [])
        case .invalidMessage:
            return (.malformed, state.output, state.input == .malformed ? [] : .dropInput)
        case .socketFull: return (state.input, isGone ? .gone : .blocked, [])
        case .repliesSent: return (state.input, isGone ? .gone : .flowing, isGone ? [] : .resumeStream)
        case .hangup:
            let all: State.Effects = state.input == .open ? [.dropReplies, .readRest] : .dropReplies
            return (state.input, .gone, isGone ? [] : all)
        }
    }

    /// Every combination of the facts of a connection.
    private static let works: [State.Work] = (0..<128).map { bits in
        func bit(_ number: Int) -> Bool { bits >> number & 1 == 1 }
        return State.Work(
            isCalling: bit(0), hasCall: bit(1), hasCostlyCall: bit(2), hasPart: bit(3), hasRoom: bit(4),
            hasReplies: bit(5), takesReplies: bit(6))
    }

    @Test("a connection waits only for what will come, and closes only when all is done")
    func steps() {
        for state in Self.states {
            for work in Self.works {
                let isFree = !work.isCalling && work.takesReplies
                switch state.step(work) {
                case .takeCostlyTurn: #expect(isFree && work.hasCostlyCall, "\(state) \(work)")
                case .takeTurn: #expect(isFree && work.hasCall && !work.hasCostlyCall, "\(state) \(work)")
                case .close(let isCutOff):
                    #expect(state.input != .open && !work.isCalling && !work.hasReplies, "\(state) \(work)")
                    #expect(!work.hasCall && !work.hasCostlyCall, "\(state) \(work)")
                    #expect(isCutOff == (work.hasPart && state.input == .ended), "\(state) \(work)")
                case .wait(let interest):
                    #expect(!(isFree && (work.hasCall || work.hasCostlyCall)), "\(state) \(work)")
                    #expect(interest.contains(.writable) == (state.output == .blocked))
                    #expect(!interest.contains(.readable) || state.input == .open)
                    // Otherwise an event must follow: bytes, room in the socket, or the last reply of a call.
                    let isSent = state.output != .blocked && work.hasReplies
                    let waitsForever = interest.isEmpty && !work.isCalling && !isSent && work.takesReplies
                    #expect(!waitsForever, "\(state) \(work)")
                }
            }
        }
    }

    @Test("a client with a call or unread replies keeps its connection after the end of its input")
    func ended() {
        var state = State()
        _ = state.handle(.inputEnded)
        var work = State.Work(
            isCalling: true, hasCall: false, hasCostlyCall: false, hasPart: false, hasRoom: true, hasReplies: false,
            takesReplies: true)
        #expect(state.step(work) == .wait(for: []))
        (work.isCalling, work.hasReplies) = (false, true)
        _ = state.handle(.socketFull)
        #expect(state.step(work) == .wait(for: .writable))
        work.hasReplies = false
        #expect(state.step(work) == .close(isCutOff: false))
    }
}
