import Measuring
import Unix

/// On which processors the two ends of a connection run.
///
/// Left alone, the kernel now wakes a server beside its client and now on a processor that sleeps, which takes longer
/// than many a call does; and it may choose one way for the daemon and another for what it is compared with.
enum Placement: String, CaseIterable {
    case same = "same processor"
    case other = "other processor"

    /// Those that can be where this program may run.
    static func possible() throws(SystemError) -> [Placement] {
        try ProcessorSet().numbers.count > 1 ? allCases : [.same]
    }

    /// Calls the body on one processor, with the first thread of each server on that or on another one.
    func holding<Result>(_ servers: [MeasuredProcess], _ body: () throws -> Result) throws -> Result {
        let all = try ProcessorSet()
        defer { try? all.hold() }
        let numbers = all.numbers
        try ProcessorSet(numbers[0]).hold()
        for server in servers { try ProcessorSet(numbers[self == .same ? 0 : 1]).hold(server.pid) }
        return try body()
    }
}
