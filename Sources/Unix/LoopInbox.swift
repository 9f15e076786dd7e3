import Synchronization

/// What other threads hand to a loop: added one at a time from anywhere, taken all at once by the loop.
///
/// A stack whose top is swapped in one atomic step; nobody ever waits for a lock. Since the loop takes all of it, a node
/// cannot come back under another thread's hands.
///
/// `@unchecked Sendable`: a node belongs to the thread that adds it until it is the top, and then to the one that takes it.
final class LoopInbox: @unchecked Sendable {
    enum Job {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private struct Node {
        let job: Job
        var next: UnsafeMutablePointer<Node>?
    }

    private let top = Atomic<UnsafeMutablePointer<Node>?>(nil)

    deinit {
        _ = takeAll()
    }

    /// True while nothing was added since the last taking.
    var isEmpty: Bool {
        top.load(ordering: .acquiring) == nil
    }

    /// Adds a job, from any thread.
    ///
    /// - Returns: whether it is the first since the last taking, so that the loop may have to be woken.
    func add(_ job: Job) -> Bool {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        node.initialize(to: Node(job: job, next: nil))
        var expected = top.load(ordering: .relaxed)
        while true {
            node.pointee.next = expected
            let (exchanged, original) = top.weakCompareExchange(
                expected: expected, desired: node, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed)
            if exchanged { return expected == nil }
            expected = original
        }
    }

    /// Takes all jobs, the oldest first.
    func takeAll() -> [Job] {
        var jobs: [Job] = []
        var next = top.exchange(nil, ordering: .sequentiallyConsistent)
        while let node = next {
            jobs.append(node.pointee.job)
            next = node.pointee.next
            node.deinitialize(count: 1).deallocate()
        }
        jobs.reverse()
        return jobs
    }
}
