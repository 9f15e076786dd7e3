/// The figures of one contender.
struct Figure {
    let workload: String
    let engine: String
    let ids: String
    let runs: Int
    let medianMilliseconds: Double
    let minMilliseconds: Double
    /// The time that 99 of 100 runs do not exceed.
    let percentile99Milliseconds: Double
    /// The number of changes in the result, if it is a difference.
    let changes: Int?
    let heap: HeapUse
}

/// The number of runs and their time limit.
struct Effort {
    /// The exact number of runs of each contender; nil: until the median is stable, within `seconds`.
    var runs: Int?
    var fewestRuns = 7
    var mostRuns = 201
    var runsInTurn = 5
    /// The time limit of a contender, including preparations, after its minimum number of runs.
    var seconds = 0.5

    /// Measures contenders side by side: a few runs of each in turn, so that other load affects all of them.
    ///
    /// The first run of a turn is not counted: the other contenders have evicted its memory from the caches. The heap
    /// is counted in the very first call, which also includes what an engine keeps for later calls.
    func measure(_ contenders: [Contender]) throws -> [Figure] {
        let rehearsals = try contenders.map { try $0.rehearse() }
        var times = contenders.map { _ in [Int64]() }
        var spent = contenders.map { _ in 0.0 }
        var busy = true
        while busy {
            busy = false
            for (index, contender) in contenders.enumerated()
            where wantsMore(contender, runs: times[index].count, spent: spent[index]) {
                let clock = SuspendingClock()
                let start = clock.now
                if contender.mostRuns > 1 { _ = try contender.run() }
                for _ in 0..<runsInTurn where wantsMore(contender, runs: times[index].count, spent: spent[index]) {
                    times[index].append(try contender.run())
                }
                spent[index] += start.duration(to: clock.now) / .seconds(1)
                busy = true
            }
        }
        return contenders.indices.map { figure(contenders[$0], rehearsals[$0], times[$0]) }
    }

    private func wantsMore(_ contender: Contender, runs done: Int, spent: Double) -> Bool {
        guard done < contender.mostRuns else { return false }
        if let runs { return done < runs }
        return done < max(fewestRuns, contender.fewestRuns) || (done < mostRuns && spent < seconds)
    }

    private func figure(_ contender: Contender, _ rehearsal: Contender.Rehearsal, _ times: [Int64]) -> Figure {
        let sorted = times.sorted()
        let median = (Double(sorted[sorted.count / 2]) + Double(sorted[(sorted.count - 1) / 2])) / 2
        return Figure(
            workload: contender.workload, engine: contender.engine, ids: contender.ids, runs: times.count,
            medianMilliseconds: median / 1e6, minMilliseconds: Double(sorted[0]) / 1e6,
            percentile99Milliseconds: Double(sorted[sorted.count * 99 / 100]) / 1e6,
            changes: rehearsal.changes, heap: rehearsal.heap)
    }
}
