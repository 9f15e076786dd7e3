import TestSupport
import Testing
import Unix

@Suite struct TimerQueueTests {
    private enum Step {
        case insert(at: Int)
        case remove(Int)
        case pop(at: Int)
    }

    @Test("timers are due in the order of their times, whatever is added or removed")
    func order() throws {
        try checkProperty("a timer queue behaves like a sorted list", maxSize: 200) { random, size in
            (0..<size).map { _ -> Step in
                switch random.int(in: 0..<5) {
                case 0, 1: .insert(at: random.int(in: 0..<20))
                case 2, 3: .remove(random.int(in: 0..<size))
                default: .pop(at: random.int(in: 0..<25))
                }
            }
        } shrink: { steps in
            steps.indices.map { index in steps.enumerated().filter { $0.offset != index }.map(\.element) }
        } property: { steps in
            var ran: [Int] = []
            var queue = TimerQueue()
            var tokens: [TimerQueue.Token] = []
            var model: [(instant: Int, number: Int)] = []
            for step in steps {
                switch step {
                case .insert(let instant):
                    let number = tokens.count
                    tokens.append(queue.insert(at: at(instant)) { ran.append(number) })
                    model.append((instant, number))
                case .remove(let number) where number < tokens.count:
                    queue.remove(tokens[number])
                    model.removeAll { $0.number == number }
                case .remove: break
                case .pop(let now):
                    let due = model.filter { $0.instant <= now }.min { $0 < $1 }
                    let action = queue.popDue(at: at(now))
                    action?()
                    try verify((action == nil) == (due == nil), "something is due at \(now): \(due != nil)")
                    if let due {
                        try verify(ran.last == due.number, "\(due.number) was due, \(ran.last!) ran")
                        model.removeAll { $0.number == due.number }
                    }
                }
                try verify(queue.first == model.map(\.instant).min().map(at), "the first instant")
            }
        }
    }

    private func at(_ second: Int) -> BootInstant {
        BootInstant(sinceBoot: .seconds(second))
    }
}
