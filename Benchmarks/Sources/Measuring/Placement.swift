package import Unix

/// On which processors the two ends of a connection run.
///
/// Left alone, the kernel now wakes a server beside its client and now on a processor that sleeps, which takes longer
/// than many a call does; and it may choose one way for the daemon and another for what it is compared with.
package enum Placement: String, CaseIterable {
    case same = "same processor"
    case other = "other processor"

    /// Those that can be where this program may run.
    package static func possible() throws(SystemError) -> [Placement] {
        try ProcessorSet().numbers.count > 1 ? allCases : [.same]
    }

    /// Calls the body on one processor, with all threads that each server has now on that or on another one.
    package func holding<Result>(_ servers: [MeasuredProcess], _ body: () throws -> Result) throws -> Result {
        let all = try ProcessorSet()
        defer { try? all.hold() }
        let numbers = all.numbers
        try ProcessorSet(numbers[0]).hold()
        let theirs = ProcessorSet(numbers[self == .same ? 0 : 1])
        for thread in try servers.flatMap({ try $0.threads() }) { try theirs.hold(thread) }
        return try body()
    }
}
