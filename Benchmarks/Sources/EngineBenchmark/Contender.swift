/// One engine on one workload: something to be called many times.
struct Contender {
    let workload: String
    let engine: String
    let ids: String
    /// Where a call takes seconds: how often it is called at most.
    var mostRuns = Int.max
    /// Checks the result once, and counts what one call takes from the heap.
    let rehearse: () throws -> Rehearsal
    /// The time of one call, in nanoseconds.
    let run: () throws -> Int64

    struct Rehearsal {
        let changes: Int?
        let heap: HeapUse
    }

    /// What is timed is `body`, on what `prepare` made for this one call; what it returns, and what it leaves of its
    /// input, is destroyed after the clock was read. `check` throws where the result is wrong, and returns how many
    /// changes it names.
    init<Input, Output>(
        _ engine: String, on workload: String, ids: String,
        prepare: @escaping () throws -> Input, body: @escaping (inout Input) throws -> Output,
        check: @escaping (Input, Output) throws -> Int?
    ) {
        self.workload = workload
        self.engine = engine
        self.ids = ids
        rehearse = {
            var input = try prepare()
            let (output, heap) = try HeapUse.counting { try body(&input) }
            return Rehearsal(changes: try check(input, output), heap: heap)
        }
        run = {
            var input = try prepare()
            let clock = SuspendingClock()
            let start = clock.now
            let output = try body(&input)
            let time = start.duration(to: clock.now)
            consume(output)
            consume(input)
            return time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        }
    }

    func limited(to runs: Int) -> Contender {
        var limited = self
        limited.mostRuns = runs
        return limited
    }
}

/// A contender whose result is not what it must be.
struct WrongResult: Error, CustomStringConvertible {
    let description: String

    /// Throws unless `holds`.
    static func unless(_ holds: Bool, _ claim: @autoclosure () -> String) throws {
        if !holds { throw WrongResult(description: claim()) }
    }
}
