/// One engine with one workload, which can be called many times.
struct Contender {
    let workload: String
    let engine: String
    let ids: String
    /// The minimum number of calls, if rare calls are slower.
    var fewestRuns = 0
    /// The maximum number of calls, if a call takes seconds.
    var mostRuns = Int.max
    /// Checks the result once, and counts the heap allocations of one call.
    let rehearse: () throws -> Rehearsal
    /// Returns the time of one call, in nanoseconds.
    let run: () throws -> Int64

    struct Rehearsal {
        let changes: Int?
        let heap: HeapUse
    }

    /// Only `body` is timed, with the input that `prepare` made for this call. The result and the rest of the input are
    /// destroyed after the clock is read. `check` throws if the result is wrong, and returns its number of changes.
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

    func repeated(atLeast runs: Int) -> Contender {
        var repeated = self
        repeated.fewestRuns = runs
        return repeated
    }
}

/// An error for a wrong result of a contender.
struct WrongResult: Error, CustomStringConvertible {
    let description: String

    /// Throws if `holds` is false.
    static func unless(_ holds: Bool, _ claim: @autoclosure () -> String) throws {
        if !holds { throw WrongResult(description: claim()) }
    }
}
