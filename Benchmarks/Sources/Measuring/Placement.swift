package import Unix

/// The processors of the two ends of a connection.
///
/// By itself, the kernel sometimes wakes a server on the processor of its client and sometimes on an idle one, which
/// takes longer than many calls. It may also choose differently for the daemon and the server that it is compared with.
package enum Placement: String, CaseIterable {
    case same = "same processor"
    case other = "other processor"

    /// Returns the placements that are possible on the processors of this program.
    package static func possible() throws(SystemError) -> [Placement] {
        try ProcessorSet().numbers.count > 1 ? allCases : [.same]
    }

    /// Calls the body on one processor. All current threads of the servers run on the same one or on another.
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
