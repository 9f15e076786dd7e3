import TestSupport
import Testing
import Unix

@testable import JokesDaemon

@Suite struct LifecycleTests {
    /// Two times of damage and recovery: the first two events are too close for a second recovery, the last two are not.
    private static let times = [Duration.zero, .seconds(100)].map(BootInstant.init(sinceBoot:))

    /// One event in one state, with its effects and the next state.
    private struct Step {
        let before: Lifecycle
        let event: Lifecycle.Event
        let effects: [Lifecycle.Effect]
        let after: Lifecycle
    }

    /// Every event in every state that can be reached.
    private static let steps: [Step] = {
        var start = Lifecycle()
        _ = start.begin()
        var (known, waiting, steps): (Set<Lifecycle>, [Lifecycle], [Step]) = ([start], [start], [])
        while let before = waiting.popLast() {
            for event in events(in: before) {
                var after = before
                let effects = after.handle(event)
                steps.append(Step(before: before, event: event, effects: effects, after: after))
                if known.insert(after).inserted { waiting.append(after) }
            }
        }
        return steps
    }()

    /// The events that can happen in a state: a job that does not run cannot end.
    private static func events(in state: Lifecycle) -> [Lifecycle.Event] {
        if state.phase == .stopped { return [] }
        let ends: [Lifecycle.Event] =
            switch state.job {
            case nil: []
            case .start: [.started, .startFailed(isDamage: true), .startFailed(isDamage: false)]
            case .reload: [.reloaded]
            case .recover: times.map { .recovered(at: $0) } + [.recovered(at: nil)]
            case .tidy: [.tidied(isComplete: true), .tidied(isComplete: false)]
            case .finish: [.finished]
            }
        return ends + times.map { .damageFound(at: $0) }
            + [.reloadRequested, .tidyRequested, .syncDue, .stopRequested]
            + (state.areSyncsEnding ? [.syncsEnded] : []) + (state.phase == .stopping ? [.deadlineReached] : [])
    }

    /// The name of a case without its values.
    private static func name(_ value: some Any) -> String {
        String("\(value)".prefix { $0 != "(" })
    }

    @Test("the table in docs/architecture.md has the reaction to every event in every state")
    func table() throws {
        var reactions: [String: [String: Set<String>]] = [:]
        for step in Self.steps {
            let phase = step.before.phase == step.after.phase ? [] : [Self.name(step.after.phase)]
            let effects = step.effects.filter { Self.name($0) != "run" }.map(Self.name)
            let reaction = (phase + effects).joined(separator: ", ")
            reactions[Self.name(step.event), default: [:]][Self.name(step.before.phase), default: []]
                .insert(reaction.isEmpty ? "–" : reaction)
        }
        let page = try #require(try PageTable.all(of: "docs/architecture.md", headed: "event").first).table
        #expect(page.rows.count == reactions.count)
        for row in page.rows {
            let event = row[0].filter { $0 != "`" }
            for (phase, cell) in zip(page.header, row).dropFirst() {
                // Without notes such as "(1)".
                let outcomes = cell.replacing(/`| \(\d\)/, with: "").split(separator: "; or ").map(String.init)
                #expect(Set(outcomes) == reactions[event]?[phase] ?? [], "\(event) while \(phase)")
            }
        }
    }

    @Test("in every state, jobs run one after another, and each in its phase")
    func jobs() {
        for step in Self.steps {
            let next: Lifecycle.Job? =
                switch step.after.phase {
                case .starting: .start
                case .serving: step.before.requested.contains(.reload) ? .reload : nil
                case .recovering: step.after.areSyncsEnding ? nil : .recover
                case .stopping: step.after.areSyncsEnding ? nil : .finish
                case .stopped: nil
                }
            let begun = step.effects.compactMap { effect in
                if case .run(let job) = effect { job } else { nil }
            }
            #expect(begun.count <= 1 && begun.allSatisfy { $0 == step.after.job }, "\(step)")
            if let next { #expect(step.after.job != nil, "\(next) does not begin: \(step)") }
            guard let job = begun.first else { continue }
            let isRequested = [.reload, .tidy].contains(job)
            #expect(isRequested ? step.after.phase == .serving : job == next, "\(step)")
        }
    }

    @Test(
        "syncs start only in the serving phase, every client gets a reply, and the daemon stops in time")
    func interleavings() throws {
        try checkProperty("lifecycle", cases: 10_000, maxSize: 40) { random, size in
            (seed: random.next(), disturbances: size)
        } shrink: { run in
            (0..<run.disturbances).map { (run.seed, $0) }
        } property: { run in
            var service = SimulatedService(seed: run.seed)
            try service.run(disturbances: run.disturbances)
        }
    }
}
